package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import vitrine.memory.GuestMemory.Region;
import vitrine.memory.Mapper;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.vhostuser.message.WindowPayload;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A front end that made room for a window, and its end of the second socket.
final class WindowLink implements AutoCloseable {

    static final long WINDOW = 4L << 21;

    /// What one mapping has in these tests.
    static final long PIECE = 0x4000;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofMillis(50);

    final SettledLink rings;
    private final UnixSocket[] pair;
    private final FrameStream second;
    private final FrameStream impatient; // the same socket

    WindowLink() {
        rings = new SettledLink(RecordingDevice.withWindow(WINDOW), Features.BACKEND_REQ | Features.SHMEM);
        try {
            pair = UnixSocket.pair(Host.SYS);
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
        second = new FrameStream(pair[0], Host.SYS, PATIENCE);
        impatient = new FrameStream(pair[0], Host.SYS, SILENCE);
        rings.obeyed(new NegotiationMessage.SetBackendReqFd(pair[1].fd()));
        pair[1].close();
        assertEquals(WINDOW, askForWindow(rings.link));
    }

    /// The same, and its rings are served.
    static WindowLink running() {
        WindowLink link = new WindowLink();
        link.rings.serve(0);
        link.rings.serve(1);
        return link;
    }

    /// GET_SHMEM_CONFIG.
    static long askForWindow(BackendLink link) {
        link.send(new NegotiationMessage.GetShmemConfig());
        try {
            return WindowPayload.Sizes.decode(new WireReader(link.receive().payload()))
                    .window();
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }

    /// Orders the first bytes of a file of the test's own.
    Mapper.Change map(long offset) {
        return map(rings.link.memory(PIECE), offset);
    }

    Mapper.Change map(Fd file, long offset) {
        try {
            return rings.device.window.map(Host.SYS.dup(file), 0, offset, PIECE);
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /// The next message on the second socket.
    BackendMessage asked() {
        try {
            return BackendMessage.decode(second.receive().orElseThrow());
        } catch (MalformedException | ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /// Nothing comes on the second socket.
    void assertNothingAsked() {
        try {
            throw new AssertionError("asked: " + impatient.receive());
        } catch (ErrnoException e) {
            assertTrue(e.getMessage().contains("nothing for"), e::getMessage);
        } catch (MalformedException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    void answer(BackendMessage message, long value) {
        var bytes = FrontendMessage.encode(new Payload.Number(value));
        try {
            second.send(new Frame(message.toFrame().header().reply(8), bytes, List.of()));
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /// Answers what is asked for the answer's sake while nobody knows what became of an order.
    void answerWhileOpen(Mapper.Change change, long value) {
        long limit = System.nanoTime() + PATIENCE.toNanos();
        while (!change.isDone()) {
            assertTrue(System.nanoTime() < limit, "nothing is asked");
            try {
                Frame frame = impatient.receive().orElseThrow();
                answer(BackendMessage.decode(frame), value);
                return;
            } catch (ErrnoException _) {
                // nothing yet
            } catch (MalformedException e) {
                throw new AssertionError(e.getMessage(), e);
            }
        }
    }

    /// The region by which QEMU tells of a mapping.
    static Region region(BackendMessage message) {
        long address = (1L << 32) + message.piece().offset();
        return new Region(
                address, message.piece().length(), address, message.piece().fileOffset());
    }

    /// ADD_MEM_REG of what was mapped.
    void announce(BackendMessage message) {
        rings.obeyed(new MemoryMessage.AddMemReg(region(message), message.fds().getFirst()));
    }

    void disable(int ring) {
        rings.obeyed(new RingMessage.SetVringEnable(ring, 0));
    }

    void enable(int ring) {
        rings.obeyed(new RingMessage.SetVringEnable(ring, 1));
    }

    /// Waits until the order is complete.
    ///
    /// @return its errno
    static int result(Mapper.Change change) {
        long limit = System.nanoTime() + PATIENCE.toNanos();
        while (!change.isDone()) {
            assertTrue(System.nanoTime() < limit, "the order is not carried out");
            Thread.onSpinWait();
        }
        return change.errno();
    }

    /// Gives the second socket up.
    void hangUp() {
        second.close();
    }

    @Override
    public void close() {
        rings.close();
        second.close();
    }
}
