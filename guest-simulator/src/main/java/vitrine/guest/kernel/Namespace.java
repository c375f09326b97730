package vitrine.guest.kernel;

import static vitrine.posix.Errno.EBUSY;
import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ENOENT;
import static vitrine.posix.Errno.ENOTDIR;
import static vitrine.posix.Errno.ENOTEMPTY;
import static vitrine.posix.Errno.EPERM;
import static vitrine.posix.Fcntl.RENAME_EXCHANGE;
import static vitrine.posix.Fcntl.RENAME_NOREPLACE;
import static vitrine.posix.Fcntl.RENAME_WHITEOUT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.Dirent;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.RenameIn;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.InodeCache;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// Names: making, moving and removing them, and listing directories.
///
/// The checks come in Linux' order, for a program sees the error of the first that fails.
final class Namespace {

    private static final int ENTRY_OUT = (int) EntryOut.LAYOUT.byteSize();
    private static final int DIRECTORY_PAGE = 4096; // what Linux up to 6.17 asks for at once
    private static final int RENAME_FLAGS = RENAME_NOREPLACE | RENAME_EXCHANGE | RENAME_WHITEOUT;

    private final FuseClient client;
    private final InodeCache inodes;

    Namespace(FuseClient client, InodeCache inodes) {
        this.client = client;
        this.inodes = inodes;
    }

    void mkdir(Task task, String path, int mode) throws ErrnoException {
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            PathWalk.Last last = newName(walk, path, true);
            Permission.requireChange(task, last.directory().attr());
            MkdirIn in = new MkdirIn(mode & 01777 & ~task.umask(), task.umask());
            enter(new DirectoryRequest.Mkdir(
                    makersHeader(task, last),
                    in,
                    last.wireName(),
                    client.groups(task, last.directory().attr())));
        }
    }

    void mknod(Task task, String path, int mode, int rdev) throws ErrnoException {
        requireMknodType(mode);
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            PathWalk.Last last = newName(walk, path, false);
            Permission.requireChange(task, last.directory().attr());
            if (isDevice(mode, rdev) && !task.can(Capability.MKNOD)) {
                throw new ErrnoException("mknod", EPERM);
            }
            int permissions = Permission.ofNewFile(task, last.directory().attr(), mode);
            enter(new DirectoryRequest.Mknod(
                    makersHeader(task, last),
                    new MknodIn(permissions, rdev, task.umask()),
                    last.wireName(),
                    client.groups(task, last.directory().attr())));
        }
    }

    private static void requireMknodType(int mode) throws ErrnoException {
        switch (mode & Stat.S_IFMT) {
            case 0, Stat.S_IFREG, Stat.S_IFIFO, Stat.S_IFSOCK, Stat.S_IFCHR, Stat.S_IFBLK -> {}
            case Stat.S_IFDIR -> throw new ErrnoException("mknod", EPERM);
            default -> throw new ErrnoException("mknod", EINVAL);
        }
    }

    /// A character device 0:0 is none: a whiteout, which anybody may make.
    private static boolean isDevice(int mode, int rdev) {
        int type = mode & Stat.S_IFMT;
        return type == Stat.S_IFBLK || type == Stat.S_IFCHR && rdev != 0;
    }

    void symlink(Task task, String target, String path) throws ErrnoException {
        if (target.isEmpty()) {
            throw new ErrnoException("symlink", ENOENT);
        }
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            PathWalk.Last last = newName(walk, path, false);
            Permission.requireChange(task, last.directory().attr());
            enter(new DirectoryRequest.Symlink(
                    makersHeader(task, last),
                    last.wireName(),
                    Name.of(target),
                    client.groups(task, last.directory().attr())));
        }
    }

    void link(Task task, String existing, String path) throws ErrnoException {
        try (PathWalk source = new PathWalk(client, inodes, task)) {
            link(task, source.find(existing, false), path);
        }
    }

    void link(Task task, GuestInode inode, String path) throws ErrnoException {
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            PathWalk.Last last = newName(walk, path, false);
            Permission.requireLink(task, inode.attr());
            Permission.requireChange(task, last.directory().attr());
            if (Stat.isDirectory(inode.attr().mode())) {
                throw new ErrnoException("link", EPERM);
            }
            enter(new DirectoryRequest.Link(header(task, last), new LinkIn(inode.nodeid()), last.wireName()));
        }
    }

    /// Where a new name is to be (`filename_create` in Linux).
    ///
    /// @param directory whether a directory is to be made, whose path may end in a slash
    private static PathWalk.Last newName(PathWalk walk, String path, boolean directory) throws ErrnoException {
        PathWalk.Last last = walk.last(path);
        if (!last.isName() || walk.lookup(last).isPresent()) {
            throw new ErrnoException("name", EEXIST);
        }
        if (last.slash() && !directory) {
            throw new ErrnoException("name", ENOENT);
        }
        return last;
    }

    /// Sends what makes a name, and gives back at once what the reply's entry counts.
    private void enter(FuseRequest request) throws ErrnoException {
        inodes.release(inodes.found(client.ask(request, ENTRY_OUT, EntryOut::decode)));
    }

    private InHeader makersHeader(Task task, PathWalk.Last last) {
        return client.makersHeader(task, last.directory().nodeid());
    }

    private InHeader header(Task task, PathWalk.Last last) {
        return client.header(task, last.directory().nodeid());
    }

    void unlink(Task task, String path) throws ErrnoException {
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            PathWalk.Last last = walk.last(path);
            if (!last.isName()) {
                throw new ErrnoException("unlink", EISDIR);
            }
            GuestInode inode = walk.lookup(last.directory(), last.name());
            boolean directory = Stat.isDirectory(inode.attr().mode());
            if (last.slash()) {
                throw new ErrnoException("unlink", directory ? EISDIR : ENOTDIR);
            }
            Permission.requireRemoval(task, last.directory().attr(), inode.attr());
            if (directory) {
                throw new ErrnoException("unlink", EISDIR);
            }
            client.ask(new DirectoryRequest.Unlink(header(task, last), last.wireName()));
        }
    }

    void rmdir(Task task, String path) throws ErrnoException {
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            PathWalk.Last last = walk.last(path);
            switch (last.name()) {
                case "" -> throw new ErrnoException("rmdir", EBUSY);
                case "." -> throw new ErrnoException("rmdir", EINVAL);
                case ".." -> throw new ErrnoException("rmdir", ENOTEMPTY);
                default -> {}
            }
            GuestInode inode = walk.lookup(last.directory(), last.name());
            Permission.requireRemoval(task, last.directory().attr(), inode.attr());
            if (!Stat.isDirectory(inode.attr().mode())) {
                throw new ErrnoException("rmdir", ENOTDIR);
            }
            client.ask(new DirectoryRequest.Rmdir(header(task, last), last.wireName()));
        }
    }

    void rename(Task task, String from, String to, int flags) throws ErrnoException {
        boolean exchange = (flags & RENAME_EXCHANGE) != 0;
        if ((flags & ~RENAME_FLAGS) != 0 || exchange && flags != RENAME_EXCHANGE) {
            throw new ErrnoException("rename", EINVAL);
        }
        try (PathWalk fromWalk = new PathWalk(client, inodes, task);
                PathWalk toWalk = new PathWalk(client, inodes, task)) {
            PathWalk.Last source = fromWalk.last(from);
            PathWalk.Last target = toWalk.last(to);
            requireNames(source, target, flags);
            GuestInode moved = fromWalk.lookup(source.directory(), source.name());
            Optional<GuestInode> replaced = toWalk.lookup(target);
            Move move = new Move(source, moved, target, replaced, exchange);
            move.requireTarget(flags);
            move.requireNoLoop(fromWalk, toWalk);
            if (replaced.isPresent() && replaced.get().nodeid() == moved.nodeid()) {
                return; // two names of one file: rename(2) does nothing
            }
            move.requirePermission(task);
            send(task, source, target, flags);
        }
    }

    private static void requireNames(PathWalk.Last source, PathWalk.Last target, int flags) throws ErrnoException {
        if (!source.isName()) {
            throw new ErrnoException("rename", EBUSY);
        }
        if (!target.isName()) {
            throw new ErrnoException("rename", (flags & RENAME_NOREPLACE) != 0 ? EEXIST : EBUSY);
        }
    }

    private void send(Task task, PathWalk.Last source, PathWalk.Last target, int flags) throws ErrnoException {
        boolean makesWhiteout = (flags & RENAME_WHITEOUT) != 0;
        InHeader header = makesWhiteout ? makersHeader(task, source) : header(task, source);
        long newDirectory = target.directory().nodeid();
        Name oldName = source.wireName();
        Name newName = target.wireName();
        client.ask(
                flags == 0
                        ? new DirectoryRequest.Rename(header, new RenameIn(newDirectory), oldName, newName)
                        : new DirectoryRequest.Rename2(header, new Rename2In(newDirectory, flags), oldName, newName));
    }

    List<DirectoryEntry> readDirectory(Task task, LinuxFile directory) throws ErrnoException {
        if (!directory.isDirectory()) {
            throw new ErrnoException("getdents64", ENOTDIR);
        }
        List<DirectoryEntry> entries = new ArrayList<>();
        long offset = 0;
        boolean plus = client.has(InitFlag.DO_READDIRPLUS);
        while (true) {
            // Linux asks for attributes with the first page, and goes on without if nobody used
            // them.
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

    private List<Dirent> readPlus(Task task, LinuxFile directory, long offset) throws ErrnoException {
        var request =
                new DirectoryRequest.Readdirplus(client.header(task, directory.nodeid()), readIn(directory, offset));
        List<Dirent> page = new ArrayList<>();
        for (Direntplus entry : client.ask(request, DIRECTORY_PAGE, Direntplus::decodeAll)) {
            page.add(entry.dirent());
            if (entry.entry().nodeid() != 0) { // it counts as a lookup
                inodes.release(inodes.found(entry.entry()));
            }
        }
        return page;
    }

    private static ReadIn readIn(LinuxFile directory, long offset) {
        return new ReadIn(directory.fh(), offset, DIRECTORY_PAGE, 0, 0, directory.flags());
    }
}
