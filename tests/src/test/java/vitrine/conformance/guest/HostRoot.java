package vitrine.conformance.guest;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import jnr.ffi.LibraryLoader;
import vitrine.posix.Credentials;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// A directory of the host that a thread of its own takes for `/`, so that `..` and links to `/` lead
/// where they would in a guest.
///
/// The thread changes root and identity for each call and changes back: with another root, Java would
/// not find its own files.
final class HostRoot implements AutoCloseable {

    private static final int CLONE_FS = 0x200;
    private static final long DOT = Arena.global().allocateFrom(".").address();
    private static final Calls CALLS = LibraryLoader.create(Calls.class).load("libc.so.6");

    /// What the daemon has no use for.
    public interface Calls {
        int unshare(int flags);

        int fchdir(int fd);

        int chroot(long path);

        long pread(int fd, long buf, long count, long offset);

        long pwrite(int fd, long buf, long count, long offset);

        long lgetxattr(long path, long name, long value, long size);

        int lsetxattr(long path, long name, long value, long size, int flags);

        long llistxattr(long path, long list, long size);

        int lremovexattr(long path, long name);
    }

    /// As whom a call is made.
    record Who(int uid, int gid, int... groups) {}

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("host program").factory());
    private final Syscalls sys;
    private final Fd outside;
    private final Fd inside;
    private Credentials credentials; // the thread's

    HostRoot(Syscalls sys, Path directory) throws Exception {
        this.sys = sys;
        outside = sys.openPath("/", Fcntl.O_PATH | Fcntl.O_DIRECTORY);
        inside = sys.openPath(directory.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY);
        onThread(() -> {
            credentials = new Credentials(sys);
            credentials.become(1, 1, new int[] {1}); // once outside, so that all classes are there
            credentials.daemon();
            return check(CALLS.unshare(CLONE_FS));
        });
    }

    Libc libc() {
        return sys.libc();
    }

    Calls calls() {
        return CALLS;
    }

    Syscalls sys() {
        return sys;
    }

    /// Runs something on the thread.
    <T> T onThread(Callable<T> action) throws ErrnoException {
        try {
            return thread.submit(action).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ErrnoException errno) {
                throw errno;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Makes a system call on the thread, which must be the calling one, as somebody and in the
    /// directory.
    long call(Who who, LongSupplier systemCall) throws ErrnoException {
        changeRoot(inside);
        credentials.become(who.uid(), who.gid(), who.groups());
        long result = systemCall.getAsLong();
        int errno = result == -1 ? Libc.lastErrno() : 0;
        credentials.daemon();
        changeRoot(outside);
        if (errno != 0) {
            throw new ErrnoException("on the host", errno);
        }
        return result;
    }

    private void changeRoot(Fd directory) throws ErrnoException {
        check(CALLS.fchdir(directory.number()));
        check(CALLS.chroot(DOT));
    }

    private static int check(int result) throws ErrnoException {
        if (result == -1) {
            throw new ErrnoException("around a call on the host", Libc.lastErrno());
        }
        return result;
    }

    @Override
    public void close() {
        thread.shutdown();
        inside.close();
        outside.close();
    }
}
