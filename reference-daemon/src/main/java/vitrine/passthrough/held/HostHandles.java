package vitrine.passthrough.held;

import java.util.HashMap;
import java.util.Map;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileHandle;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// From a file to what finds it again without a descriptor, and back.
///
/// Not every file system has file handles, and without `CAP_DAC_READ_SEARCH` none can be opened:
/// then [#refer] says no.
final class HostHandles {

    private static final int REFERENCE = Fcntl.O_PATH | Fcntl.O_NOFOLLOW;
    private static final int ATTEMPTS = 10;
    private static final int LOOK_ONLY = Fcntl.O_RDONLY | Fcntl.O_NONBLOCK | Fcntl.O_NOCTTY; // nobody reads from it

    private final Syscalls sys;
    private final DescriptorBudget budget;
    private final Map<Long, Mount> mounts = new HashMap<>(); // by mount id; some are closed by now

    HostHandles(Syscalls sys, DescriptorBudget budget) {
        this.sys = sys;
        this.budget = budget;
    }

    /// What finds this file again.
    ///
    /// @throws ErrnoException `EOPNOTSUPP` or `EPERM` if nothing will
    HostReference refer(Inode inode) throws ErrnoException {
        FileHandle handle = handle(inode.file());
        return new HostReference(handle, mount(inode, handle));
    }

    /// What finds the shared directory again, and with it any file of the same file system.
    ///
    /// @return null if there are no handles
    /// @throws ErrnoException if file handles are mandatory and there are none
    HostReference referToRoot(Inode root, FileHandleUse use) throws ErrnoException {
        try {
            return refer(root);
        } catch (ErrnoException e) {
            if (use == FileHandleUse.MANDATORY) {
                throw new ErrnoException("no file handles: " + e.call(), e.errno());
            }
            if (use == FileHandleUse.PREFER) {
                System.getLogger("vitrine.passthrough")
                        .log(
                                System.Logger.Level.INFO,
                                "no file handles ({0}): each file that the guest knows costs a descriptor",
                                e.getMessage());
            }
            return null;
        }
    }

    /// What the file system calls this file, to find it again on the same mount.
    FileHandle handle(KnownFile file) throws ErrnoException {
        HostReference reference = file.reference();
        FileHandle known = reference != null ? reference.handle() : file.handle;
        if (known != null) {
            return known;
        }
        try (Inode inode = file.hold(this)) {
            return sys.fileHandle(inode.fd());
        }
    }

    /// The same of a file that has no nodeid yet; null if there is none.
    FileHandle handle(Fd fd) {
        try {
            return sys.fileHandle(fd);
        } catch (ErrnoException _) {
            return null;
        }
    }

    /// The same of a name in a directory.
    FileHandle handle(Fd directory, Name name) {
        try {
            return sys.fileHandleAt(directory, name);
        } catch (ErrnoException _) {
            return null;
        }
    }

    /// Opens a file again, with `O_PATH`.
    ///
    /// Of a directory Linux looks for the way up to the root, and says `ENOMEM` if somebody moves
    /// it meanwhile (seen with 6.18 on ext4): so it is asked again.
    ///
    /// @throws ErrnoException `ESTALE` if it is gone
    Fd open(HostReference reference) throws ErrnoException {
        for (int attempt = 1; ; attempt++) {
            try {
                return sys.openByHandle(reference.mount().fd(), reference.handle(), REFERENCE);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.ENOMEM || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /// The same for a file that is known.
    Inode open(KnownFile file, HostReference reference) throws ErrnoException {
        return new Inode(budget, file, open(reference));
    }

    /// The inode's mount, held. The first time, a handle is tried: the file system may hand them
    /// out and not take them back, or the daemon may lack the right.
    private synchronized Mount mount(Inode inode, FileHandle handle) throws ErrnoException {
        long id = inode.key().mountId();
        Mount known = mounts.get(id);
        if (known != null && known.hold()) {
            return known;
        }
        if (inode.type() != Stat.S_IFDIR && inode.type() != Stat.S_IFREG) {
            throw new ErrnoException("a mount that is a special file", Errno.EOPNOTSUPP); // must not be opened
        }
        Mount mount = new Mount(budget, sys.reopen(inode.fd(), LOOK_ONLY));
        try {
            sys.openByHandle(mount.fd(), handle, REFERENCE).close();
        } catch (ErrnoException e) {
            mount.close();
            throw e;
        }
        mounts.put(id, mount);
        return mount;
    }
}
