package vitrine.guest.hostile;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import vitrine.guest.driver.NoAnswerException;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.RamLayout;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.vhostuser.message.RingMessage.RingFd;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A front end that says what it is told to, true or not, and listens to what the back end makes of
/// it.
///
/// It asks for an acknowledgement of each message. The eventfds are the caller's.
public final class LyingFrontend implements AutoCloseable {

    private final UnixSocket socket;
    private final FrameStream stream;
    private final GuestRam ram;

    /// Connects and agrees on acknowledgements, and on what a driver of a split ring needs. No
    /// memory is announced.
    ///
    /// @param socket to the back end; taken over
    /// @param layout the memory that there will be
    /// @param patience how long to wait for the back end
    /// @throws ErrnoException if it does not listen, or this process gets no memory
    public LyingFrontend(Syscalls sys, UnixSocket socket, RamLayout layout, Duration patience) throws ErrnoException {
        this.socket = socket;
        stream = new FrameStream(socket, sys, patience);
        ram = new GuestRam(sys, layout);
        say(new NegotiationMessage.SetProtocolFeatures(Features.REPLY_ACK | Features.CONFIGURE_MEM_SLOTS));
        say(new NegotiationMessage.SetOwner());
        say(new NegotiationMessage.SetFeatures(
                Features.VERSION_1 | Features.EVENT_IDX | Features.INDIRECT_DESC | Features.PROTOCOL_FEATURES));
    }

    /// The memory, all of it, announced or not.
    public GuestRam ram() {
        return ram;
    }

    /// Says something.
    ///
    /// @return whether the back end has obeyed
    /// @throws NoAnswerException if it has left, or says nothing
    public boolean tell(FrontendMessage message) {
        try {
            stream.send(message.toFrame(true));
            Frame answer = stream.receive().orElseThrow(() -> new NoAnswerException("the back end has left"));
            return Payload.Number.decode(new WireReader(answer.payload())).value() == 0;
        } catch (ErrnoException | MalformedException e) {
            throw new NoAnswerException(message.request() + ": " + e.getMessage(), e);
        }
    }

    /// Says something, and does not wait.
    public void say(FrontendMessage message) throws ErrnoException {
        stream.send(message.toFrame(false));
    }

    /// Sends bytes as they are.
    ///
    /// @param fds sent along with them
    public void sayRaw(byte[] bytes, List<Fd> fds) throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            socket.send(arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes)), fds);
        }
    }

    /// Announces a region as it is.
    public boolean announce(GuestRam.Piece piece) {
        return announce(piece.region(), piece.fd());
    }

    /// Announces a region, or what is called one.
    public boolean announce(Region region, Fd fd) {
        return tell(new MemoryMessage.AddMemReg(region, fd));
    }

    /// Says all that starts a ring but where its memory is.
    ///
    /// @return whether the back end serves it now
    public boolean start(FrontendQueue queue) {
        FrontendQueue.Place place = queue.place();
        int index = queue.index();
        Payload.RingAddresses addresses = new Payload.RingAddresses(
                index,
                0,
                ram.userAddress(place.descriptors()),
                ram.userAddress(place.device()),
                ram.userAddress(place.driver()),
                0);
        return tell(new RingMessage.SetVringNum(index, place.size()))
                && tell(new RingMessage.SetVringBase(index, 0))
                && tell(new RingMessage.SetVringAddr(addresses))
                && tell(new RingMessage.SetVringErr(ringFd(index, queue.error().fd())))
                && tell(new RingMessage.SetVringCall(ringFd(index, queue.call().fd())))
                && tell(new RingMessage.SetVringKick(ringFd(index, queue.kick().fd())))
                && tell(new RingMessage.SetVringEnable(index, 1));
    }

    /// A ring, and a descriptor that comes along with it.
    public static RingFd ringFd(int index, Fd fd) {
        return new RingFd(index, Optional.of(fd));
    }

    /// Leaves without a word.
    @Override
    public void close() {
        stream.close();
        ram.close();
    }
}
