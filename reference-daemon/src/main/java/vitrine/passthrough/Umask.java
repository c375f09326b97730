package vitrine.passthrough;

import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// The umask of the process that asks, while something is made for it.
///
/// The guest's kernel leaves it to us if ACLs are agreed on (fuse.h: FUSE_DONT_MASK). It counts
/// only in a directory that has no default ACL; whether that is so, the host's kernel finds out
/// while it makes the file. To look before could be wrong by then. So the thread that makes it has
/// the umask for as long.
///
/// All threads of a process have one umask together, until one takes its own. A thread that makes
/// files for such guests does so once; but for this scope it is 0, like everybody's while a file
/// system is open.
final class Umask implements AutoCloseable {

    private static final ThreadLocal<Boolean> OWN = ThreadLocal.withInitial(() -> false);

    private static int fileSystems; // that are open
    private static int before; // the first of them was

    private final Syscalls sys;

    /// Sets it for the calling thread, until [#close].
    Umask(Syscalls sys, int mask) throws ErrnoException {
        this.sys = sys;
        takeOwn(sys);
        sys.umask(mask);
    }

    /// A file system is opened: modes in requests are what the guest's kernel has made of its
    /// program's umask, and are not to be masked again.
    static synchronized void suspend(Syscalls sys) {
        int was = sys.umask(0);
        if (fileSystems++ == 0) {
            before = was;
        }
    }

    /// One is closed. The last one gives back what the first one took.
    static synchronized void resume(Syscalls sys) {
        if (--fileSystems == 0) {
            sys.umask(before);
        }
    }

    /// Gives the calling thread a umask of its own.
    ///
    /// @throws ErrnoException `EPERM` in a container that forbids it
    static void takeOwn(Syscalls sys) throws ErrnoException {
        if (!OWN.get()) {
            sys.unshareUmask();
            OWN.set(true);
        }
    }

    @Override
    public void close() {
        sys.umask(0);
    }
}
