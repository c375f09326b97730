package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.ENOSYS;
import static vitrine.posix.Errno.ENOTDIR;
import static vitrine.posix.Errno.EOPNOTSUPP;
import static vitrine.posix.Fcntl.O_ACCMODE;
import static vitrine.posix.Fcntl.O_EXCL;
import static vitrine.posix.Fcntl.O_LARGEFILE;
import static vitrine.posix.Fcntl.O_NOCTTY;
import static vitrine.posix.Fcntl.O_RDONLY;
import static vitrine.posix.Fcntl.O_TRUNC;

import vitrine.fuse.FileRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.OpenOut;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;

/// open(2) of what is not there yet: CREATE, TMPFILE, or MKNOD and OPEN.
final class Creation {

    private static final int ENTRY_OUT = (int) EntryOut.LAYOUT.byteSize();
    private static final int OPEN_OUT = (int) OpenOut.LAYOUT.byteSize();
    private static final Name NO_NAME = Name.of("/");

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;
    private final Opening opening;

    Creation(Mount mount, Attributes attributes, Opening opening) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
        this.opening = opening;
    }

    LinuxFile create(Task task, PathWalk.Last last, int flags, int mode) throws ErrnoException {
        GuestInode directory = last.inode();
        attributes.requireChange(task, directory);
        // A new file has nothing to truncate, but what another guest has made meanwhile may.
        int sent = (flags & ~O_NOCTTY & ~((flags & O_EXCL) != 0 ? O_TRUNC : 0)) | O_LARGEFILE;
        if (client.lacks(Opcode.CREATE)) {
            return mknodAndOpen(task, last, flags, mode);
        }
        try {
            Created created = client.ask(
                    new FileRequest.Create(
                            client.makersHeader(task, directory.nodeid()),
                            createIn(task, directory, sent, mode),
                            last.wireName(),
                            client.groups(task, directory.attr())),
                    ENTRY_OUT + OPEN_OUT,
                    Created::decode);
            Dentry dentry = new NameLookup(mount).enter(last.directory(), last.name(), created.entry, 0);
            directory.namesChanged();
            LinuxFile file = new LinuxFile(dentry, created.out.fh(), flags, created.out.openFlags());
            opening.settle(file, false);
            return file;
        } catch (ErrnoException e) {
            if (e.errno() != ENOSYS) {
                throw e;
            }
            return mknodAndOpen(task, last, flags, mode);
        }
    }

    /// What a server sees that does not know CREATE.
    private LinuxFile mknodAndOpen(Task task, PathWalk.Last last, int flags, int mode) throws ErrnoException {
        Dentry dentry = new Names(mount, attributes).mknod(task, last, Stat.S_IFREG | mode & 07777, 0);
        try {
            LinuxFile file = opening.ask(task, dentry, flags & ~O_TRUNC, false);
            opening.settle(file, false);
            return file;
        } finally {
            mount.names().release(dentry);
        }
    }

    private record Created(EntryOut entry, OpenOut out) {

        static Created decode(WireReader reply) throws MalformedException {
            return new Created(EntryOut.decode(reply), OpenOut.decode(reply));
        }
    }

    /// A file without a name. The request has one all the same, `/`, as no file can be called.
    LinuxFile tmpfile(Task task, Dentry dentry, int flags, int mode) throws ErrnoException {
        GuestInode directory = dentry.inode();
        if ((flags & O_ACCMODE) == O_RDONLY) {
            throw new ErrnoException("open with O_TMPFILE", EINVAL);
        }
        if (!Stat.isDirectory(directory.attr().mode())) {
            throw new ErrnoException("open with O_TMPFILE", ENOTDIR);
        }
        attributes.requireChange(task, directory);
        if (!client.profile().has(Habit.TMPFILE)) {
            throw new ErrnoException("open with O_TMPFILE", EOPNOTSUPP);
        }
        int sent = flags & ~O_NOCTTY | O_LARGEFILE;
        try {
            Created created = client.ask(
                    new FileRequest.Tmpfile(
                            client.makersHeader(task, directory.nodeid()),
                            createIn(task, directory, sent, mode),
                            NO_NAME,
                            client.groups(task, directory.attr())),
                    ENTRY_OUT + OPEN_OUT,
                    Created::decode);
            GuestInode inode = mount.inodes().found(created.entry, 0);
            inode.linkable((flags & O_EXCL) == 0);
            LinuxFile file = new LinuxFile(
                    mount.names().unnamed(dentry, inode), created.out.fh(), flags, created.out.openFlags());
            opening.settle(file, false);
            return file;
        } catch (ErrnoException e) {
            throw e.errno() == ENOSYS ? new ErrnoException(e.call(), EOPNOTSUPP) : e;
        }
    }

    private CreateIn createIn(Task task, GuestInode directory, int sent, int mode) {
        int permissions = Permission.ofNewFile(task, directory.attr(), Stat.S_IFREG | mode & 07777);
        return new CreateIn(sent, permissions, task.umask(), opening.openFlags(task, sent));
    }
}
