package vitrine.migration;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;

/// The front end's pipe, for one thread that reads or writes while another may end it. It waits for
/// the front end, but looks up ten times a second.
final class Pipe implements AutoCloseable {

    private static final int MOMENT = 100; // ms
    private static final int SIZE = 1 << 16;

    private final Syscalls sys;
    private final Fd fd;
    private final MemorySegment bytes = Arena.ofAuto().allocate(SIZE);
    private volatile long waitingSince; // System.nanoTime; 0: it does not wait
    private volatile boolean cancelled;

    /// @param fd taken over; closed if this fails
    Pipe(Syscalls sys, Fd fd) throws ErrnoException {
        this.sys = sys;
        this.fd = fd;
        try {
            requireStream(sys.statx(fd, Stat.STATX_TYPE).mode());
            sys.fcntl(fd, Fcntl.F_SETFL, sys.fcntl(fd, Fcntl.F_GETFL, 0) | Fcntl.O_NONBLOCK);
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    /// Anything else, an eventfd for one, could be ready for ever and never take a byte.
    private static void requireStream(int mode) throws ErrnoException {
        int type = mode & Stat.S_IFMT;
        if (type != Stat.S_IFIFO && type != Stat.S_IFSOCK && type != Stat.S_IFREG) {
            throw new ErrnoException("neither a pipe nor a socket nor a file", Errno.EINVAL);
        }
    }

    /// How long it has been waiting for the front end, in nanoseconds.
    long idle() {
        long since = waitingSince;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    /// From now on every read and write fails.
    void cancel() {
        cancelled = true;
    }

    @Override
    public void close() {
        fd.close();
    }

    OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int single) throws IOException {
                write(new byte[] {(byte) single}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                for (int done = 0; done < length; ) {
                    int some = Math.min(SIZE, length - done);
                    MemorySegment.copy(from, offset + done, bytes, ValueLayout.JAVA_BYTE, 0, some);
                    done += (int) move(some, false);
                }
            }
        };
    }

    InputStream input() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] single = new byte[1];
                return read(single, 0, 1) == -1 ? -1 : single[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int some = (int) move(Math.min(SIZE, length), true);
                MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, 0, into, offset, some);
                return some == 0 && length > 0 ? -1 : some;
            }
        };
    }

    /// Moves at most so many bytes, and waits until some have moved, or the pipe has ended.
    private long move(int most, boolean in) throws IOException {
        waitingSince = System.nanoTime();
        try {
            while (!cancelled) {
                if (in ? sys.poll(List.of(fd), MOMENT) != 0 : sys.canBeWritten(fd, MOMENT)) {
                    long moved = tryMove(Buffers.of(bytes.asSlice(0, most)), in);
                    if (moved >= 0) {
                        return moved;
                    }
                }
            }
            throw new IOException("the front end has given up");
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            waitingSince = 0;
        }
    }

    /// @return -1 if it would have to wait
    private long tryMove(Buffers some, boolean in) throws ErrnoException {
        try {
            return in ? sys.preadv2(fd, some, -1, 0) : sys.pwritev2(fd, some, -1, 0);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN) {
                return -1;
            }
            throw e;
        }
    }
}
