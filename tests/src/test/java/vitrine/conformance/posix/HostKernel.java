package vitrine.conformance.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.function.Executable;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// What the tests of this package share: the real C library, and a few words.
public final class HostKernel {

    /// One for all tests: binding the library takes its time.
    public static final Libc LIBC = Libc.load();

    public static final Syscalls SYS = new Syscalls(LIBC);

    private HostKernel() {}

    static Fd directory(Path path) throws ErrnoException {
        return SYS.openPath(path.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY);
    }

    /// As the daemon refers to a file: to be looked at, not read; of a symbolic link, the link.
    static Fd reference(Fd dir, String name) throws ErrnoException {
        return SYS.openat(dir, Name.of(name), Fcntl.O_PATH | Fcntl.O_NOFOLLOW, 0);
    }

    static void assertErrno(int errno, Executable call) {
        assertEquals(errno, assertThrows(ErrnoException.class, call).errno());
    }

    /// Whether files can be found again by their handles here: not on overlayfs, the root of most
    /// containers.
    public static boolean hasFileHandles(Path directory) {
        try (Fd dir = directory(directory);
                Fd mount = SYS.reopen(dir, Fcntl.O_RDONLY)) {
            SYS.openByHandle(mount, SYS.fileHandle(dir), Fcntl.O_PATH).close();
            return true;
        } catch (ErrnoException _) {
            return false;
        }
    }

    /// Runs something on a thread of its own, whose identity may be spoiled, and hands on what it
    /// throws.
    static void onOwnThread(Executable body) throws Exception {
        onOwnThreads(List.of(body));
    }

    static void onOwnThreads(List<Executable> bodies) throws Exception {
        Throwable[] thrown = new Throwable[bodies.size()];
        Thread[] threads = new Thread[bodies.size()];
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = Thread.ofPlatform().start(() -> {
                try {
                    bodies.get(me).execute();
                } catch (Throwable e) {
                    thrown[me] = e;
                }
            });
        }
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
        }
        for (Throwable e : thrown) {
            if (e != null) {
                throw new AssertionError(e);
            }
        }
    }
}
