package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EBUSY;
import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ENOENT;
import static vitrine.posix.Errno.ENOSYS;
import static vitrine.posix.Errno.ENOTDIR;
import static vitrine.posix.Errno.ENOTEMPTY;
import static vitrine.posix.Errno.EXDEV;
import static vitrine.posix.Fcntl.RENAME_EXCHANGE;
import static vitrine.posix.Fcntl.RENAME_NOREPLACE;
import static vitrine.posix.Fcntl.RENAME_WHITEOUT;

import java.util.Optional;
import java.util.Set;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.RenameIn;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// Names that go or move: UNLINK, RMDIR and RENAME.
///
/// The checks come in Linux' order, for a program sees the error of the first that fails. What was
/// known of the names and their directories is put right here: the server tells nobody.
final class Namespace {

    private static final int RENAME_FLAGS = RENAME_NOREPLACE | RENAME_EXCHANGE | RENAME_WHITEOUT;

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;

    Namespace(Mount mount, Attributes attributes) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
    }

    void unlink(Task task, String path) throws ErrnoException {
        try (PathWalk walk = new PathWalk(mount, attributes, task)) {
            PathWalk.Last last = walk.last(path);
            if (!last.isName()) {
                throw new ErrnoException("unlink", EISDIR);
            }
            last.inode().lock().lock();
            try {
                Dentry dentry = walk.lookup(last.directory(), last.name(), false);
                boolean directory = Stat.isDirectory(dentry.inode().attr().mode());
                if (last.slash()) {
                    throw new ErrnoException("unlink", directory ? EISDIR : ENOTDIR);
                }
                attributes.requireRemoval(task, last.inode(), dentry.inode());
                if (directory) {
                    throw new ErrnoException("unlink", EISDIR);
                }
                remove(last, dentry, new DirectoryRequest.Unlink(header(task, last), last.wireName()));
            } finally {
                last.inode().lock().unlock();
            }
        }
    }

    void rmdir(Task task, String path) throws ErrnoException {
        try (PathWalk walk = new PathWalk(mount, attributes, task)) {
            PathWalk.Last last = walk.last(path);
            switch (last.name()) {
                case "" -> throw new ErrnoException("rmdir", EBUSY);
                case "." -> throw new ErrnoException("rmdir", EINVAL);
                case ".." -> throw new ErrnoException("rmdir", ENOTEMPTY);
                default -> {}
            }
            last.inode().lock().lock();
            try {
                Dentry dentry = walk.lookup(last.directory(), last.name(), false);
                attributes.requireRemoval(task, last.inode(), dentry.inode());
                if (!Stat.isDirectory(dentry.inode().attr().mode())) {
                    throw new ErrnoException("rmdir", ENOTDIR);
                }
                remove(last, dentry, new DirectoryRequest.Rmdir(header(task, last), last.wireName()));
            } finally {
                last.inode().lock().unlock();
            }
        }
    }

    private void remove(PathWalk.Last last, Dentry dentry, FuseRequest request) throws ErrnoException {
        try {
            client.ask(request);
        } catch (ErrnoException e) {
            if (e.errno() == ENOENT) {
                mount.names().invalidate(dentry); // somebody else was faster
            }
            throw e;
        }
        last.inode().namesChanged();
        isGone(dentry);
    }

    private void isGone(Dentry dentry) {
        dentry.inode().lostName(Stat.isDirectory(dentry.inode().attr().mode()));
        mount.names().invalidate(dentry);
    }

    private InHeader header(Task task, PathWalk.Last last) {
        return client.header(task, last.inode().nodeid());
    }

    void rename(Task task, String from, String to, int flags) throws ErrnoException {
        boolean exchange = (flags & RENAME_EXCHANGE) != 0;
        if ((flags & ~RENAME_FLAGS) != 0 || exchange && flags != RENAME_EXCHANGE) {
            throw new ErrnoException("rename", EINVAL);
        }
        try (PathWalk fromWalk = new PathWalk(mount, attributes, task);
                PathWalk toWalk = new PathWalk(mount, attributes, task)) {
            PathWalk.Last source = fromWalk.last(from);
            PathWalk.Last target = toWalk.last(to);
            requireNames(source, target, flags);
            if (!source.directory().isOnMountOf(target.directory())) {
                throw new ErrnoException("rename", EXDEV);
            }
            lockBoth(source.inode(), target.inode());
            try {
                Dentry moved = fromWalk.lookup(source.directory(), source.name(), false);
                Optional<Dentry> replaced = toWalk.lookup(target, !exchange);
                Move move = new Move(source, moved, target, replaced, exchange);
                move.requireTarget(flags);
                move.requireNoLoop(fromWalk, toWalk);
                if (replaced.isPresent() && replaced.get().inode() == moved.inode()) {
                    return; // two names of one file: rename(2) does nothing
                }
                move.requirePermission(attributes, task);
                send(task, move, flags);
                settle(move);
            } finally {
                unlockBoth(source.inode(), target.inode());
            }
        }
    }

    /// Always in the same order, or two renames could wait for each other.
    private static void lockBoth(GuestInode one, GuestInode other) {
        boolean inOrder = one.nodeid() <= other.nodeid();
        (inOrder ? one : other).lock().lock();
        (inOrder ? other : one).lock().lock();
    }

    private static void unlockBoth(GuestInode one, GuestInode other) {
        one.lock().unlock();
        other.lock().unlock();
    }

    private static void requireNames(PathWalk.Last source, PathWalk.Last target, int flags) throws ErrnoException {
        if (!source.isName()) {
            throw new ErrnoException("rename", EBUSY);
        }
        if (!target.isName()) {
            throw new ErrnoException("rename", (flags & RENAME_NOREPLACE) != 0 ? EEXIST : EBUSY);
        }
    }

    private void send(Task task, Move move, int flags) throws ErrnoException {
        PathWalk.Last source = move.source();
        boolean makesWhiteout = (flags & RENAME_WHITEOUT) != 0;
        InHeader header =
                makesWhiteout ? client.makersHeader(task, source.inode().nodeid()) : header(task, source);
        long newDirectory = move.target().inode().nodeid();
        Name oldName = source.wireName();
        Name newName = move.target().wireName();
        try {
            client.ask(
                    flags == 0
                            ? new DirectoryRequest.Rename(header, new RenameIn(newDirectory), oldName, newName)
                            : new DirectoryRequest.Rename2(
                                    header, new Rename2In(newDirectory, flags), oldName, newName));
        } catch (ErrnoException e) {
            if (e.errno() == ENOENT) {
                mount.names().invalidate(move.moved());
                move.replaced().ifPresent(mount.names()::invalidate);
            }
            throw flags != 0 && e.errno() == ENOSYS ? new ErrnoException(e.call(), EINVAL) : e;
        }
    }

    private void settle(Move move) {
        PathWalk.Last source = move.source();
        PathWalk.Last target = move.target();
        move.moved().inode().changed(Set.of(Part.CHANGE_TIME));
        source.inode().namesChanged();
        target.inode().namesChanged();
        if (move.exchange()) {
            move.replaced().get().inode().changed(Set.of(Part.CHANGE_TIME));
            mount.names().exchanged(move.moved(), move.replaced().get());
        } else {
            move.replaced().ifPresent(this::isGone);
            mount.names().moved(move.moved(), target.directory(), target.name());
        }
    }
}
