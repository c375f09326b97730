package vitrine.guest.kernel;

import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ELOOP;
import static vitrine.posix.Errno.ENOSYS;
import static vitrine.posix.Errno.ENOTDIR;
import static vitrine.posix.Errno.ENXIO;
import static vitrine.posix.Errno.EOPNOTSUPP;
import static vitrine.posix.Fcntl.O_ACCMODE;
import static vitrine.posix.Fcntl.O_CREAT;
import static vitrine.posix.Fcntl.O_DIRECTORY;
import static vitrine.posix.Fcntl.O_EXCL;
import static vitrine.posix.Fcntl.O_LARGEFILE;
import static vitrine.posix.Fcntl.O_NOCTTY;
import static vitrine.posix.Fcntl.O_NOFOLLOW;
import static vitrine.posix.Fcntl.O_RDONLY;
import static vitrine.posix.Fcntl.O_TMPFILE;
import static vitrine.posix.Fcntl.O_TRUNC;
import static vitrine.posix.Fcntl.O_WRONLY;

import java.util.Optional;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.OpenFlag;
import vitrine.fuse.flag.ReleaseFlag;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.InodeCache;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// open(2) and close(2): OPEN or CREATE, then FLUSH and RELEASE.
///
/// Which of OPEN and CREATE is sent is decided by a LOOKUP. If another guest is faster, CREATE
/// finds the file there, and the server has to cope.
final class Opening {

    private static final int ENTRY_OUT = (int) EntryOut.LAYOUT.byteSize();
    private static final int OPEN_OUT = (int) OpenOut.LAYOUT.byteSize();
    private static final Name NO_NAME = Name.of("/");

    private final FuseClient client;
    private final InodeCache inodes;
    private final AttributeChange attributes;
    private final WriteBack writeBack;

    Opening(FuseClient client, InodeCache inodes, AttributeChange attributes, WriteBack writeBack) {
        this.client = client;
        this.inodes = inodes;
        this.attributes = attributes;
        this.writeBack = writeBack;
    }

    LinuxFile open(Task task, String path, int flags, int mode) throws ErrnoException {
        if ((flags & O_CREAT) != 0 && (flags & O_DIRECTORY) != 0) {
            throw new ErrnoException("open with O_CREAT and O_DIRECTORY", EINVAL);
        }
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            if ((flags & O_TMPFILE) == O_TMPFILE) {
                return tmpfile(task, walk.find(path, true), flags, mode);
            }
            return (flags & O_CREAT) != 0
                    ? openOrCreate(task, walk, walk.last(path), flags, mode)
                    : openExisting(task, walk, walk.find(path, (flags & O_NOFOLLOW) == 0), flags);
        }
    }

    private LinuxFile openOrCreate(Task task, PathWalk walk, PathWalk.Last place, int flags, int mode)
            throws ErrnoException {
        boolean exclusive = (flags & O_EXCL) != 0;
        PathWalk.Last last = place;
        while (true) {
            if (!last.isName()) {
                throw new ErrnoException("open", exclusive ? EEXIST : EISDIR);
            }
            if (last.slash()) {
                throw new ErrnoException("open", EISDIR);
            }
            Optional<GuestInode> existing = walk.lookup(last);
            if (existing.isEmpty()) {
                return create(task, last, flags, mode);
            }
            if (exclusive) {
                throw new ErrnoException("open", EEXIST);
            }
            if ((flags & O_NOFOLLOW) != 0
                    || !Stat.isSymlink(existing.get().attr().mode())) {
                return openExisting(task, walk, existing.get(), flags);
            }
            last = walk.lastOf(existing.get()); // what a link says may be what has to be created
        }
    }

    private LinuxFile openExisting(Task task, PathWalk walk, GuestInode inode, int flags) throws ErrnoException {
        requireOpenable(task, inode, flags);
        boolean directory = Stat.isDirectory(inode.attr().mode());
        boolean truncate = (flags & O_TRUNC) != 0;
        boolean atomic = truncate && client.has(InitFlag.ATOMIC_O_TRUNC);
        int sent = (flags & ~(O_CREAT | O_EXCL | O_NOCTTY) & ~(atomic ? 0 : O_TRUNC)) | O_LARGEFILE;
        OpenIn in = new OpenIn(sent, openFlags(task, sent));
        InHeader header = client.header(task, inode.nodeid());
        FuseRequest request = directory ? new DirectoryRequest.Opendir(header, in) : new FileRequest.Open(header, in);
        OpenOut out = client.ask(request, OPEN_OUT, OpenOut::decode);
        LinuxFile file = new LinuxFile(walk.keepInUse(inode), out.fh(), flags, out.openFlags());
        try {
            if (truncate) {
                attributes.truncateByOpen(task, file, atomic);
            }
        } catch (ErrnoException e) {
            close(task, file);
            throw e;
        }
        return file;
    }

    /// With V2 the truncation within OPEN carries the order to kill.
    private int openFlags(Task task, int sent) {
        boolean kill = (sent & O_TRUNC) != 0
                && (sent & O_EXCL) == 0
                && client.has(InitFlag.HANDLE_KILLPRIV_V2)
                && !task.can(Capability.FSETID);
        return kill ? Flag.word32(OpenFlag.KILL_SUIDGID) : 0;
    }

    /// `do_open` and `may_open` in Linux.
    private static void requireOpenable(Task task, GuestInode inode, int flags) throws ErrnoException {
        int mode = inode.attr().mode();
        boolean reads = (flags & O_ACCMODE) != O_WRONLY;
        boolean writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
        if (Stat.isSymlink(mode)) {
            throw new ErrnoException("open", (flags & O_DIRECTORY) != 0 ? ENOTDIR : ELOOP);
        }
        if (Stat.isDirectory(mode) && (writes || (flags & O_CREAT) != 0)) {
            throw new ErrnoException("open", EISDIR);
        }
        if (!Stat.isDirectory(mode) && (flags & O_DIRECTORY) != 0) {
            throw new ErrnoException("open", ENOTDIR);
        }
        Permission.require(task, inode.attr(), (reads ? Permission.READ : 0) | (writes ? Permission.WRITE : 0));
        if (!Stat.isDirectory(mode) && !Stat.isRegular(mode)) {
            throw new ErrnoException("open: FIFOs, sockets and devices are not modelled", ENXIO);
        }
    }

    private LinuxFile create(Task task, PathWalk.Last last, int flags, int mode) throws ErrnoException {
        GuestInode directory = last.directory();
        Permission.requireChange(task, directory.attr());
        // A new file has nothing to truncate, but what another guest has made meanwhile may.
        int sent = (flags & ~O_NOCTTY & ~((flags & O_EXCL) != 0 ? O_TRUNC : 0)) | O_LARGEFILE;
        return ask(
                new FileRequest.Create(
                        client.makersHeader(task, directory.nodeid()),
                        createIn(task, directory, sent, mode),
                        last.wireName(),
                        client.groups(task, directory.attr())),
                flags);
    }

    /// A file without a name. The request has one all the same, `/`, as no file can be called.
    private LinuxFile tmpfile(Task task, GuestInode directory, int flags, int mode) throws ErrnoException {
        if ((flags & O_ACCMODE) == O_RDONLY) {
            throw new ErrnoException("open with O_TMPFILE", EINVAL);
        }
        if (!Stat.isDirectory(directory.attr().mode())) {
            throw new ErrnoException("open with O_TMPFILE", ENOTDIR);
        }
        Permission.requireChange(task, directory.attr());
        int sent = flags & ~O_NOCTTY | O_LARGEFILE;
        try {
            return ask(
                    new FileRequest.Tmpfile(
                            client.makersHeader(task, directory.nodeid()),
                            createIn(task, directory, sent, mode),
                            NO_NAME,
                            client.groups(task, directory.attr())),
                    flags);
        } catch (ErrnoException e) {
            throw e.errno() == ENOSYS ? new ErrnoException(e.call(), EOPNOTSUPP) : e;
        }
    }

    private CreateIn createIn(Task task, GuestInode directory, int sent, int mode) {
        int permissions = Permission.ofNewFile(task, directory.attr(), Stat.S_IFREG | mode & 07777);
        return new CreateIn(sent, permissions, task.umask(), openFlags(task, sent));
    }

    private LinuxFile ask(FileRequest request, int flags) throws ErrnoException {
        return client.ask(request, ENTRY_OUT + OPEN_OUT, reply -> {
            EntryOut entry = EntryOut.decode(reply);
            OpenOut out = OpenOut.decode(reply);
            return new LinuxFile(inodes.found(entry), out.fh(), flags, out.openFlags());
        });
    }

    void close(Task task, LinuxFile file) throws ErrnoException {
        try {
            if (!file.isDirectory()) { // its error is the error of close(2)
                writeBack.flush(file.inode());
                FlushIn in = new FlushIn(file.fh(), FileLocks.owner(task));
                client.ask(new FileRequest.Flush(client.header(task, file.nodeid()), in));
            }
        } finally {
            letGo(file);
        }
    }

    /// The end of one of those who have it: RELEASE, if it was the last.
    void letGo(LinuxFile file) throws ErrnoException {
        if (file.letGo()) {
            release(file);
        }
    }

    private void release(LinuxFile file) throws ErrnoException {
        InHeader header = client.kernelHeader(file.nodeid());
        ReleaseIn in = file.flocked()
                ? new ReleaseIn(file.fh(), file.flags(), (int) ReleaseFlag.FLOCK_UNLOCK.bit(), file.fh())
                : new ReleaseIn(file.fh(), file.flags(), 0, 0);
        try {
            client.ask(
                    file.isDirectory()
                            ? new DirectoryRequest.Releasedir(header, in)
                            : new FileRequest.Release(header, in));
        } finally {
            inodes.release(file.inode());
        }
    }
}
