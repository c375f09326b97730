package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.ENOENT;
import static vitrine.posix.Errno.ENOSYS;
import static vitrine.posix.Errno.EPERM;
import static vitrine.posix.Errno.EXDEV;

import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.guest.kernel.Capability;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// Names that come: MKDIR, MKNOD, SYMLINK and LINK. Each begins with a LOOKUP, for a name that is
/// to be new is not believed to be free.
///
/// The checks come in Linux' order, for a program sees the error of the first that fails.
final class Names {

    private static final int ENTRY_OUT = (int) EntryOut.LAYOUT.byteSize();

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;

    Names(Mount mount, Attributes attributes) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
    }

    @FunctionalInterface
    private interface Making {
        Dentry at(PathWalk.Last last) throws ErrnoException;
    }

    /// Makes something where nothing may be yet (`filename_create` in Linux).
    ///
    /// @param directory whether it is a directory, whose path may end in a slash
    private void make(Task task, String path, boolean directory, Making making) throws ErrnoException {
        try (PathWalk walk = new PathWalk(mount, attributes, task)) {
            PathWalk.Last last = walk.last(path);
            last.inode().lock().lock();
            try {
                if (!last.isName() || walk.lookup(last, true).isPresent()) {
                    throw new ErrnoException("name", EEXIST);
                }
                if (last.slash() && !directory) {
                    throw new ErrnoException("name", ENOENT);
                }
                mount.names().release(making.at(last));
            } finally {
                last.inode().lock().unlock();
            }
        }
    }

    void mkdir(Task task, String path, int mode) throws ErrnoException {
        make(task, path, true, last -> {
            attributes.requireChange(task, last.inode());
            MkdirIn in = new MkdirIn(mode & 01777 & ~task.umask(), task.umask());
            return enter(
                    last,
                    new DirectoryRequest.Mkdir(
                            client.makersHeader(task, last.inode().nodeid()),
                            in,
                            last.wireName(),
                            client.groups(task, last.inode().attr())));
        });
    }

    void mknod(Task task, String path, int mode, int rdev) throws ErrnoException {
        switch (mode & Stat.S_IFMT) {
            case 0, Stat.S_IFREG, Stat.S_IFIFO, Stat.S_IFSOCK, Stat.S_IFCHR, Stat.S_IFBLK -> {}
            case Stat.S_IFDIR -> throw new ErrnoException("mknod", EPERM);
            default -> throw new ErrnoException("mknod", EINVAL);
        }
        make(task, path, false, last -> {
            attributes.requireChange(task, last.inode());
            if (isDevice(mode, rdev) && !task.can(Capability.MKNOD)) {
                throw new ErrnoException("mknod", EPERM);
            }
            return mknod(task, last, mode, rdev);
        });
    }

    /// A character device 0:0 is none: a whiteout, which anybody may make.
    private static boolean isDevice(int mode, int rdev) {
        int type = mode & Stat.S_IFMT;
        return type == Stat.S_IFBLK || type == Stat.S_IFCHR && rdev != 0;
    }

    /// MKNOD; the name is used once.
    Dentry mknod(Task task, PathWalk.Last last, int mode, int rdev) throws ErrnoException {
        int permissions = Permission.ofNewFile(task, last.inode().attr(), mode);
        return enter(
                last,
                new DirectoryRequest.Mknod(
                        client.makersHeader(task, last.inode().nodeid()),
                        new MknodIn(permissions, rdev, task.umask()),
                        last.wireName(),
                        client.groups(task, last.inode().attr())));
    }

    void symlink(Task task, String target, String path) throws ErrnoException {
        if (target.isEmpty()) {
            throw new ErrnoException("symlink", ENOENT);
        }
        make(task, path, false, last -> {
            attributes.requireChange(task, last.inode());
            return enter(
                    last,
                    new DirectoryRequest.Symlink(
                            client.makersHeader(task, last.inode().nodeid()),
                            last.wireName(),
                            Name.of(target),
                            client.groups(task, last.inode().attr())));
        });
    }

    void link(Task task, Dentry existing, String path) throws ErrnoException {
        GuestInode inode = existing.inode();
        make(task, path, false, last -> {
            if (!last.directory().isOnMountOf(existing)) {
                throw new ErrnoException("link", EXDEV);
            }
            requireLink(task, inode);
            attributes.requireChange(task, last.inode());
            if (Stat.isDirectory(inode.attr().mode())) {
                throw new ErrnoException("link", EPERM);
            }
            if (inode.attr().nlink() == 0 && !inode.isLinkable()) {
                throw new ErrnoException("link", ENOENT); // its last name is gone: the server is not asked
            }
            Dentry linked = enter(last, linkRequest(task, inode, last));
            inode.linkable(false);
            return linked;
        });
    }

    /// Requires that the task may give the file one more name. Distributions protect (sysctl
    /// `fs.protected_hardlinks`) what somebody else may be about to remove, or to write to in the
    /// belief that it is theirs. Set-ID bits are those that are believed in: nobody is asked.
    private void requireLink(Task task, GuestInode inode) throws ErrnoException {
        if (!isHarmless(task, inode)) {
            Permission.requireOwner(task, inode.attr());
        }
    }

    private boolean isHarmless(Task task, GuestInode inode) {
        if (!Permission.isPlain(inode.attr())) {
            return false;
        }
        try {
            attributes.require(task, inode, Permission.READ | Permission.WRITE);
            return true;
        } catch (ErrnoException _) {
            return false;
        }
    }

    private FuseRequest linkRequest(Task task, GuestInode inode, PathWalk.Last last) {
        return new DirectoryRequest.Link(
                client.header(task, last.inode().nodeid()), new LinkIn(inode.nodeid()), last.wireName());
    }

    /// Sends what makes a name, and enters what the reply says.
    private Dentry enter(PathWalk.Last last, FuseRequest request) throws ErrnoException {
        EntryOut entry;
        try {
            entry = client.ask(request, ENTRY_OUT, EntryOut::decode);
        } catch (ErrnoException e) {
            boolean linking = request instanceof DirectoryRequest.Link;
            throw linking && e.errno() == ENOSYS ? new ErrnoException(e.call(), EPERM) : e;
        }
        Dentry made = new NameLookup(mount).enter(last.directory(), last.name(), entry, 0);
        last.inode().namesChanged();
        return made;
    }
}
