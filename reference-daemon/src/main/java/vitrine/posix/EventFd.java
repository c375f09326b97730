package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import vitrine.wire.Buffers;

/// A counter in the kernel by which one side wakes the other: a kick, or a call.
///
/// Front end and device exchange the descriptors once; from then on a notification is one
/// `write(2)` here, or none at all where KVM turns it into an interrupt by itself.
public interface EventFd extends AutoCloseable {

    /// Adds 1, and so wakes whoever waits. One system call.
    ///
    /// Never waits: if the counter is full nothing is lost, the other side has not looked yet. Any
    /// error but that (`EAGAIN`) is logged once.
    void signal();

    /// Takes all that was added, and answers how much: 0 if nothing was. Never waits.
    long drain();

    /// The descriptor, for handing it on or waiting for it.
    Fd fd();

    /// Closes the descriptor.
    @Override
    void close();

    /// A new counter, at 0.
    static EventFd create(Syscalls sys) throws ErrnoException {
        return new OfKernel(sys, sys.eventfd(), false);
    }

    /// A counter that the other side has made. It is closed together with this object.
    ///
    /// What is no eventfd is refused: eight bytes for a pipe that nobody reads would wait for ever,
    /// and in a file they would be damage.
    ///
    /// @throws ErrnoException `EINVAL` if it is none; then it is closed
    static EventFd of(Syscalls sys, Fd fd) throws ErrnoException {
        try {
            String what = sys.whatIs(fd);
            if (!what.equals("anon_inode:[eventfd]")) {
                throw new ErrnoException(fd + " is no eventfd but " + what, Errno.EINVAL);
            }
            boolean blocking = (sys.fcntl(fd, Fcntl.F_GETFL, 0) & Fcntl.O_NONBLOCK) == 0;
            return new OfKernel(sys, fd, blocking);
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    /// The real one.
    final class OfKernel implements EventFd {

        private static final MemorySegment ONE = Arena.global().allocate(JAVA_LONG);

        static {
            ONE.set(JAVA_LONG, 0, 1);
        }

        private final Syscalls sys;
        private final Fd fd;
        private final boolean blocking;
        private boolean complained;

        private OfKernel(Syscalls sys, Fd fd, boolean blocking) {
            this.sys = sys;
            this.fd = fd;
            this.blocking = blocking;
        }

        @Override
        public void signal() {
            // Not made non-blocking instead: it would become so for the other side, too.
            if (blocking && !sys.canBeWritten(fd, 0)) {
                return;
            }
            long written = sys.libc().write(fd.number(), ONE.address(), Long.BYTES);
            if (written == -1 && Libc.lastErrno() != Errno.EAGAIN) {
                complain(Libc.lastErrno());
            }
        }

        private void complain(int errno) {
            if (!complained) {
                complained = true;
                String why = new ErrnoException("write", errno).getMessage();
                System.getLogger("vitrine.posix").log(System.Logger.Level.WARNING, "{0}: cannot signal: {1}", fd, why);
            }
        }

        @Override
        public long drain() {
            MemorySegment count = Scratch.mine().struct.asSlice(0, Long.BYTES);
            try {
                // RWF_NOWAIT: the other side may have made the descriptor a blocking one, and
                // changing that would change it for the other side, too.
                sys.preadv2(fd, Buffers.of(count), -1, Fcntl.RWF_NOWAIT);
                return count.get(JAVA_LONG, 0);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.EOPNOTSUPP) { // Linux before 5.8
                    return drainAfterLooking(count);
                }
                return 0;
            }
        }

        private long drainAfterLooking(MemorySegment count) {
            try {
                if (sys.poll(List.of(fd), 0) != 0 && sys.libc().read(fd.number(), count.address(), Long.BYTES) > 0) {
                    return count.get(JAVA_LONG, 0);
                }
            } catch (ErrnoException _) {
                // Nothing to take from a descriptor that cannot even be polled.
            }
            return 0;
        }

        @Override
        public Fd fd() {
            return fd;
        }

        @Override
        public void close() {
            fd.close();
        }

        @Override
        public String toString() {
            return "eventfd " + fd.number();
        }
    }
}
