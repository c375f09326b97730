package vitrine.vhostuser.message;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireWriter;

/// Cuts the bytes of a stream socket into messages, and puts messages together into bytes.
///
/// A stream has no borders: one `recvmsg` may bring half a header, the next the rest. File
/// descriptors travel beside the bytes, with the first byte of the `sendmsg` that carried them, so
/// they are gathered until the message is complete. Both ends of a connection use this class.
public final class FrameStream implements AutoCloseable {

    /// The largest payload taken. The largest that anybody sends is the answer to
    /// GET_SHMEM_CONFIG, 2056 bytes; a size beyond this one is a lie or a foreign protocol.
    public static final int MAX_PAYLOAD = 4096;

    /// The most file descriptors of one message: a memory table of as many regions
    /// (vhost-user: "Memory region description").
    public static final int MAX_FDS = 8;

    private final UnixSocket socket;
    private final Syscalls sys; // null: waits for ever
    private final int patience; // in milliseconds
    private final MemorySegment incoming = Arena.ofAuto().allocate(MessageHeader.BYTES + MAX_PAYLOAD, 8);
    private final MemorySegment outgoing = Arena.ofAuto().allocate(MessageHeader.BYTES + MAX_PAYLOAD, 8);

    /// Takes over the socket: closing the stream closes it.
    public FrameStream(UnixSocket socket) {
        this(socket, null, Duration.ZERO);
    }

    /// The same for an end that does not wait for ever: silence is `ETIMEDOUT`.
    ///
    /// @param patience how long the other end may be silent
    public FrameStream(UnixSocket socket, Syscalls sys, Duration patience) {
        this.socket = socket;
        this.sys = sys;
        this.patience = (int) Math.min(Integer.MAX_VALUE, patience.toMillis());
    }

    /// Waits for the next message.
    ///
    /// @return empty if the other end left, and left nothing half said
    /// @throws MalformedException if the bytes are no message; nothing that follows can be trusted,
    ///     since nobody knows where the next message begins
    /// @throws ErrnoException if the host cannot receive
    public Optional<Frame> receive() throws MalformedException, ErrnoException {
        List<Fd> fds = new ArrayList<>();
        boolean complete = false;
        try {
            if (!fill(0, MessageHeader.BYTES, fds)) {
                return Optional.empty();
            }
            MessageHeader header = MessageHeader.decode(new WireReader(part(incoming, MessageHeader.BYTES)));
            check(header);
            fill(MessageHeader.BYTES, header.size(), fds);
            byte[] payload = part(incoming, MessageHeader.BYTES + header.size())
                    .from(MessageHeader.BYTES)
                    .toBytes();
            complete = true;
            return Optional.of(new Frame(header, Buffers.ofBytes(payload), fds));
        } finally {
            if (!complete) {
                fds.forEach(Fd::close);
            }
        }
    }

    /// Sends a message and its file descriptors, which stay open on this side.
    ///
    /// @throws ErrnoException if the host cannot send, EPIPE if the other end left
    public void send(Frame frame) throws ErrnoException {
        int size = (int) frame.payload().size();
        WireWriter out = new WireWriter(part(outgoing, MessageHeader.BYTES + size));
        frame.header().encode(out);
        out.buffers(frame.payload());
        socket.send(outgoing.asSlice(0, MessageHeader.BYTES + size), frame.fds());
    }

    @Override
    public void close() {
        socket.close();
    }

    private static void check(MessageHeader header) throws MalformedException {
        if (!header.versionIsKnown()) {
            throw new MalformedException("message flags 0x%x: not version 1".formatted(header.flags()));
        }
        if (header.size() < 0 || header.size() > MAX_PAYLOAD) {
            throw new MalformedException("message %d claims a payload of %s bytes; the most is %d"
                    .formatted(header.request(), Integer.toUnsignedString(header.size()), MAX_PAYLOAD));
        }
    }

    /// Receives exactly so many bytes. False if the other end left before the first byte of a
    /// message; to leave later is an error.
    private boolean fill(int offset, int length, List<Fd> fds) throws MalformedException, ErrnoException {
        int have = 0;
        while (have < length) {
            if (sys != null && sys.poll(List.of(socket.fd()), patience) == 0) {
                throw new ErrnoException("recvmsg: nothing for " + patience + " ms", Errno.ETIMEDOUT);
            }
            int got = socket.receive(incoming.asSlice(offset + have, length - have), fds);
            if (fds.size() > MAX_FDS) {
                throw new MalformedException("more than " + MAX_FDS + " file descriptors with one message");
            }
            if (got == 0) {
                if (offset + have == 0 && fds.isEmpty()) {
                    return false;
                }
                throw new MalformedException("the other end left in the middle of a message");
            }
            have += got;
        }
        return true;
    }

    private static Buffers part(MemorySegment segment, int length) {
        return Buffers.of(segment.asSlice(0, length));
    }
}
