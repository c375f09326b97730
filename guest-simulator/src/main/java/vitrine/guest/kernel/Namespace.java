package vitrine.guest.kernel;

import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ELOOP;
import static vitrine.posix.Errno.ENOENT;
import static vitrine.posix.Errno.ENOTDIR;
import static vitrine.posix.Errno.ENXIO;
import static vitrine.posix.Errno.EPERM;
import static vitrine.posix.Fcntl.O_ACCMODE;
import static vitrine.posix.Fcntl.O_CREAT;
import static vitrine.posix.Fcntl.O_DIRECTORY;
import static vitrine.posix.Fcntl.O_EXCL;
import static vitrine.posix.Fcntl.O_LARGEFILE;
import static vitrine.posix.Fcntl.O_NOCTTY;
import static vitrine.posix.Fcntl.O_NOFOLLOW;
import static vitrine.posix.Fcntl.O_RDONLY;
import static vitrine.posix.Fcntl.O_TRUNC;
import static vitrine.posix.Fcntl.O_WRONLY;
import static vitrine.posix.Fcntl.RENAME_EXCHANGE;
import static vitrine.posix.Fcntl.RENAME_NOREPLACE;

import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.OpenFlag;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.Dirent;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.RenameIn;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// Names: opening by them, making, moving and removing them, and listing directories.
final class Namespace {

    private static final int ENTRY_OUT = (int) EntryOut.LAYOUT.byteSize();
    private static final int OPEN_OUT = (int) OpenOut.LAYOUT.byteSize();
    private static final int DIRECTORY_PAGE = 4096; // what Linux up to 6.17 asks for at once
    private static final int NEVER_SENT = O_CREAT | O_EXCL | O_NOCTTY;

    private final FuseClient client;
    private final InodeCache inodes;
    private final AttributeChange attributes;

    Namespace(FuseClient client, InodeCache inodes, AttributeChange attributes) {
        this.client = client;
        this.inodes = inodes;
        this.attributes = attributes;
    }

    OpenFile open(Task task, String path, int flags, int mode) throws ErrnoException {
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            if ((flags & O_CREAT) == 0) {
                return openExisting(task, walk, walk.find(path, (flags & O_NOFOLLOW) == 0), flags);
            }
            PathWalk.Last last = walk.last(path);
            if (last.mustBeDirectory()) {
                throw new ErrnoException("open", EISDIR);
            }
            try {
                GuestInode existing = walk.lookup(last.directory(), last.name());
                if ((flags & O_EXCL) != 0) {
                    throw new ErrnoException("open", EEXIST);
                }
                boolean follow = Stat.isSymlink(existing.attr().mode()) && (flags & O_NOFOLLOW) == 0;
                return openExisting(task, walk, follow ? walk.follow(existing) : existing, flags);
            } catch (ErrnoException e) {
                if (e.errno() != ENOENT || !e.call().equals("LOOKUP")) {
                    throw e;
                }
                return create(task, last, flags, mode);
            }
        }
    }

    private OpenFile openExisting(Task task, PathWalk walk, GuestInode inode, int flags) throws ErrnoException {
        requireOpenable(task, inode, flags);
        boolean directory = Stat.isDirectory(inode.attr().mode());
        boolean truncate = (flags & O_TRUNC) != 0 && !directory;
        boolean atomic = truncate && client.has(InitFlag.ATOMIC_O_TRUNC);
        boolean kill = atomic && client.has(InitFlag.HANDLE_KILLPRIV_V2) && !task.can(Capability.FSETID);
        int sent = (flags & ~NEVER_SENT & ~(atomic ? 0 : O_TRUNC)) | O_LARGEFILE;
        OpenIn in = new OpenIn(sent, kill ? Flag.word32(OpenFlag.KILL_SUIDGID) : 0);
        InHeader header = client.header(task, inode.nodeid());
        FuseRequest request =
                directory ? new DirectoryRequest.Opendir(header, in) : new FileRequest.Open(header, in);
        OpenOut out = client.ask(request, OPEN_OUT, OpenOut::decode);
        OpenFile file = new OpenFile(walk.keepInUse(inode), out.fh(), flags, out.openFlags());
        try {
            if (atomic) {
                attributes.afterTruncatingOpen(task, file);
                inode.refresh(FileIo.getattr(client, task, inode, null));
            } else if (truncate) {
                attributes.truncate(task, inode, file, 0);
            }
        } catch (ErrnoException e) {
            close(task, file);
            throw e;
        }
        return file;
    }

    private static void requireOpenable(Task task, GuestInode inode, int flags) throws ErrnoException {
        int mode = inode.attr().mode();
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
        boolean reads = (flags & O_ACCMODE) != O_WRONLY;
        Permission.require(
                task, inode.attr(), (reads ? Permission.READ : 0) | (writes ? Permission.WRITE : 0));
        if (!Stat.isDirectory(mode) && !Stat.isRegular(mode)) {
            throw new ErrnoException("open: FIFOs, sockets and devices are not modelled", ENXIO);
        }
    }

    private OpenFile create(Task task, PathWalk.Last last, int flags, int mode) throws ErrnoException {
        GuestInode directory = last.directory();
        Permission.requireChange(task, directory.attr());
        int permissions = Stat.S_IFREG | mode & 07777 & ~task.umask();
        CreateIn in = new CreateIn(flags | O_LARGEFILE, permissions, task.umask(), 0);
        return client.ask(
                new FileRequest.Create(
                        client.header(task, directory.nodeid()), in, Name.of(last.name()), groups(task, directory)),
                ENTRY_OUT + OPEN_OUT,
                reply -> {
                    EntryOut entry = EntryOut.decode(reply);
                    OpenOut out = OpenOut.decode(reply);
                    return new OpenFile(inodes.found(entry), out.fh(), flags, out.openFlags());
                });
    }

    void close(Task task, OpenFile file) throws ErrnoException {
        boolean directory = Stat.isDirectory(file.inode().attr().mode());
        ReleaseIn release = new ReleaseIn(file.fh(), file.flags(), 0, 0);
        try {
            if (!directory) { // its error is the error of close(2)
                client.ask(new FileRequest.Flush(client.header(task, file.nodeid()), new FlushIn(file.fh(), 0)));
            }
        } finally {
            InHeader header = client.kernelHeader(file.nodeid());
            client.ask(
                    directory
                            ? new DirectoryRequest.Releasedir(header, release)
                            : new FileRequest.Release(header, release));
            inodes.release(file.inode());
        }
    }

    void mkdir(Task task, String path, int mode) throws ErrnoException {
        make(task, path, (header, last) -> new DirectoryRequest.Mkdir(
                header,
                new MkdirIn(mode & 01777 & ~task.umask(), task.umask()),
                Name.of(last.name()),
                groups(task, last.directory())));
    }

    void mknod(Task task, String path, int mode, int rdev) throws ErrnoException {
        make(task, path, (header, last) -> new DirectoryRequest.Mknod(
                header,
                new MknodIn(mode & ~task.umask(), rdev, task.umask()),
                Name.of(last.name()),
                groups(task, last.directory())));
    }

    void symlink(Task task, String target, String path) throws ErrnoException {
        if (target.isEmpty()) {
            throw new ErrnoException("symlink", ENOENT);
        }
        make(task, path, (header, last) -> new DirectoryRequest.Symlink(
                header, Name.of(last.name()), Name.of(target), groups(task, last.directory())));
    }

    void link(Task task, String existing, String path) throws ErrnoException {
        try (PathWalk source = new PathWalk(client, inodes, task)) {
            GuestInode inode = source.find(existing, false);
            make(task, path, (header, last) -> {
                if (Stat.isDirectory(inode.attr().mode())) {
                    throw new ErrnoException("link", EPERM);
                }
                return new DirectoryRequest.Link(header, new LinkIn(inode.nodeid()), Name.of(last.name()));
            });
        }
    }

    @FunctionalInterface
    private interface Making {
        FuseRequest request(InHeader header, PathWalk.Last last) throws ErrnoException;
    }

    private void make(Task task, String path, Making making) throws ErrnoException {
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            PathWalk.Last last = walk.last(path);
            if (exists(walk, last)) {
                throw new ErrnoException("name", EEXIST);
            }
            FuseRequest request = making.request(client.header(task, last.directory().nodeid()), last);
            if (last.mustBeDirectory() && !(request instanceof DirectoryRequest.Mkdir)) {
                throw new ErrnoException("name", ENOENT);
            }
            Permission.requireChange(task, last.directory().attr());
            inodes.release(inodes.found(client.ask(request, ENTRY_OUT, EntryOut::decode)));
        }
    }

    void remove(Task task, String path, boolean directory) throws ErrnoException {
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            PathWalk.Last last = walk.last(path);
            GuestInode inode = walk.lookup(last.directory(), last.name());
            boolean isDirectory = Stat.isDirectory(inode.attr().mode());
            if (last.mustBeDirectory() && !isDirectory) {
                throw new ErrnoException("remove", ENOTDIR);
            }
            Permission.requireRemoval(task, last.directory().attr(), inode.attr());
            if (isDirectory != directory) {
                throw new ErrnoException("remove", directory ? ENOTDIR : EISDIR);
            }
            InHeader header = client.header(task, last.directory().nodeid());
            Name name = Name.of(last.name());
            client.ask(
                    directory ? new DirectoryRequest.Rmdir(header, name) : new DirectoryRequest.Unlink(header, name));
        }
    }

    void rename(Task task, String from, String to, int flags) throws ErrnoException {
        boolean exchange = (flags & RENAME_EXCHANGE) != 0;
        if (exchange && flags != RENAME_EXCHANGE) {
            throw new ErrnoException("rename", EINVAL);
        }
        try (PathWalk fromWalk = new PathWalk(client, inodes, task);
                PathWalk toWalk = new PathWalk(client, inodes, task)) {
            PathWalk.Last source = fromWalk.last(from);
            PathWalk.Last target = toWalk.last(to);
            GuestInode moved = fromWalk.lookup(source.directory(), source.name());
            GuestInode replaced = exists(toWalk, target) ? toWalk.lookup(target.directory(), target.name()) : null;
            if (replaced != null && (flags & RENAME_NOREPLACE) != 0) {
                throw new ErrnoException("rename", EEXIST);
            }
            if (replaced == null && exchange) {
                throw new ErrnoException("rename", ENOENT);
            }
            requireDirectoryIfSaid(source, moved);
            requireDirectoryIfSaid(target, moved);
            if (replaced != null && replaced.nodeid() == moved.nodeid()) {
                return; // two names of one file: rename(2) does nothing
            }
            Permission.requireRemoval(task, source.directory().attr(), moved.attr());
            requireReplaceable(task, moved, target, replaced, exchange);
            InHeader header = client.header(task, source.directory().nodeid());
            long newDirectory = target.directory().nodeid();
            Name oldName = Name.of(source.name());
            Name newName = Name.of(target.name());
            client.ask(
                    flags == 0
                            ? new DirectoryRequest.Rename(header, new RenameIn(newDirectory), oldName, newName)
                            : new DirectoryRequest.Rename2(
                                    header, new Rename2In(newDirectory, flags), oldName, newName));
        }
    }

    List<DirectoryEntry> readDirectory(Task task, OpenFile directory) throws ErrnoException {
        List<DirectoryEntry> entries = new ArrayList<>();
        long offset = 0;
        boolean plus = client.has(InitFlag.DO_READDIRPLUS);
        while (true) {
            // Linux asks for attributes with the first page, and goes on without if nobody uses them.
            List<Dirent> page = plus && offset == 0
                    ? readPlus(task, directory, offset)
                    : client.ask(
                            new DirectoryRequest.Readdir(
                                    client.header(task, directory.nodeid()), readIn(directory, offset)),
                            DIRECTORY_PAGE,
                            Dirent::decodeAll);
            if (page.isEmpty()) {
                return entries;
            }
            for (Dirent entry : page) {
                entries.add(new DirectoryEntry(entry.name().toString(), entry.ino(), entry.type()));
                offset = entry.off();
            }
        }
    }

    private List<Dirent> readPlus(Task task, OpenFile directory, long offset) throws ErrnoException {
        var request = new DirectoryRequest.Readdirplus(
                client.header(task, directory.nodeid()), readIn(directory, offset));
        List<Dirent> page = new ArrayList<>();
        for (Direntplus entry : client.ask(request, DIRECTORY_PAGE, Direntplus::decodeAll)) {
            page.add(entry.dirent());
            if (entry.entry().nodeid() != 0) { // it counts as a lookup
                inodes.release(inodes.found(entry.entry()));
            }
        }
        return page;
    }

    private static ReadIn readIn(OpenFile directory, long offset) {
        return new ReadIn(directory.fh(), offset, DIRECTORY_PAGE, 0, 0, directory.flags());
    }

    private static boolean exists(PathWalk walk, PathWalk.Last last) throws ErrnoException {
        try {
            walk.lookup(last.directory(), last.name());
            return true;
        } catch (ErrnoException e) {
            if (e.errno() != ENOENT) {
                throw e;
            }
            return false;
        }
    }

    private static void requireDirectoryIfSaid(PathWalk.Last last, GuestInode inode) throws ErrnoException {
        if (last.mustBeDirectory() && !Stat.isDirectory(inode.attr().mode())) {
            throw new ErrnoException("rename", ENOTDIR);
        }
    }

    private static void requireReplaceable(
            Task task, GuestInode moved, PathWalk.Last target, GuestInode replaced, boolean exchange)
            throws ErrnoException {
        if (replaced == null) {
            Permission.requireChange(task, target.directory().attr());
            return;
        }
        Permission.requireRemoval(task, target.directory().attr(), replaced.attr());
        boolean movesDirectory = Stat.isDirectory(moved.attr().mode());
        if (!exchange && movesDirectory != Stat.isDirectory(replaced.attr().mode())) {
            throw new ErrnoException("rename", movesDirectory ? ENOTDIR : EISDIR);
        }
    }

    /// The supplementary group that decides about a set-group-ID bit: that of the directory, if the
    /// task is in it otherwise than by its own group (fuse.h: FUSE_CREATE_SUPP_GROUP).
    private Extensions groups(Task task, GuestInode directory) {
        int group = directory.attr().gid();
        boolean tell = client.has(InitFlag.CREATE_SUPP_GROUP) && group != task.gid() && task.inGroup(group);
        return tell ? new Extensions(List.of(group), List.of()) : Extensions.NONE;
    }
}
