package vitrine.passthrough;

import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// The umask of the process that asks, when something is made for it.
///
/// The guest's kernel leaves it to us if ACLs are agreed on (fuse.h: FUSE_DONT_MASK). It counts
/// only in a directory that has no default ACL; whether that is so, the host's kernel finds out
/// while it makes the file. To look before could be wrong by then. So the thread that makes it has
/// the umask by then, and keeps it until it makes something with another one.
///
/// All threads of a process have one umask together, until one takes its own. A thread that makes
/// files for such guests does so once; everybody else's is 0 while a file system is open.
final class Umask {

    private static final ThreadLocal<Integer> OWN = new ThreadLocal<>(); // null: it has none of its own

    private static int fileSystems; // that are open
    private static int before; // the first of them was

    private Umask() {}

    /// Sets it for the calling thread.
    static void set(Syscalls sys, int mask) throws ErrnoException {
        Integer own = OWN.get();
        if (mask != (own == null ? 0 : own)) {
            takeOwn(sys);
            sys.umask(mask);
            OWN.set(mask);
        }
    }

    /// A file system is opened: modes in requests are what the guest's kernel has made of its
    /// program's umask, and are not to be masked again.
    static synchronized void suspend(Syscalls sys) {
        int was = sys.umask(0);
        if (OWN.get() != null) {
            OWN.set(0);
        }
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
        if (OWN.get() == null) {
            sys.unshareUmask();
            OWN.set(0); // as everybody's
        }
    }
}
