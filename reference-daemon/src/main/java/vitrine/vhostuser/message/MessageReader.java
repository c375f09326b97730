package vitrine.vhostuser.message;

import java.util.List;
import vitrine.posix.Fd;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// Takes a frame apart: its bytes and its file descriptors, each exactly once.
final class MessageReader {

    private final Frame frame;
    private final WireReader bytes;
    private int fdsTaken;

    MessageReader(Frame frame) {
        this.frame = frame;
        this.bytes = new WireReader(frame.payload());
    }

    WireReader bytes() {
        return bytes;
    }

    int u32() throws MalformedException {
        return bytes.u32();
    }

    long u64() throws MalformedException {
        return bytes.u64();
    }

    /// The next file descriptor; there must be one.
    Fd fd() throws MalformedException {
        return fds(1).getFirst();
    }

    /// The next so many file descriptors.
    List<Fd> fds(int count) throws MalformedException {
        if (frame.fds().size() - fdsTaken < count) {
            throw new MalformedException("message %d comes with %d file descriptors"
                    .formatted(frame.header().request(), frame.fds().size()));
        }
        fdsTaken += count;
        return frame.fds().subList(fdsTaken - count, fdsTaken);
    }

    /// Closes one file descriptor if there is one more, where the specification lets the sender add
    /// one that says nothing.
    void dropOneFd() {
        if (fdsTaken < frame.fds().size()) {
            frame.fds().get(fdsTaken++).close();
        }
    }

    /// Nothing may be left over: what the receiver does not look at, the sender meant for
    /// something.
    void end() throws MalformedException {
        if (bytes.remaining() != 0) {
            throw new MalformedException(
                    "message %d has %d bytes too many".formatted(frame.header().request(), bytes.remaining()));
        }
        if (fdsTaken != frame.fds().size()) {
            throw new MalformedException("message %d has %d file descriptors too many"
                    .formatted(frame.header().request(), frame.fds().size() - fdsTaken));
        }
    }
}
