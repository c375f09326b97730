package vitrine.guest.kernel;

import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ENOENT;
import static vitrine.posix.Errno.ENOTDIR;
import static vitrine.posix.Errno.ENOTEMPTY;
import static vitrine.posix.Fcntl.RENAME_NOREPLACE;

import java.util.Optional;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// A rename(2) about to happen, and what Linux checks before it asks the server (`do_renameat2` and
/// `vfs_rename`).
///
/// @param moved what has the old name
/// @param replaced what has the new name, if anything
/// @param exchange whether the two change places
record Move(
        PathWalk.Last source, GuestInode moved, PathWalk.Last target, Optional<GuestInode> replaced, boolean exchange) {

    /// Requires a target that the flags allow, and directories where the paths say so.
    void requireTarget(int flags) throws ErrnoException {
        if (replaced.isPresent() && (flags & RENAME_NOREPLACE) != 0) {
            throw new ErrnoException("rename", EEXIST);
        }
        if (replaced.isEmpty() && exchange) {
            throw new ErrnoException("rename", ENOENT);
        }
        boolean slashWrong = exchange
                ? target.slash() && !isDirectory(replaced.get()) || source.slash() && !isDirectory(moved)
                : (target.slash() || source.slash()) && !isDirectory(moved);
        if (slashWrong) {
            throw new ErrnoException("rename", ENOTDIR);
        }
    }

    /// Requires that no directory would end up beneath itself.
    void requireNoLoop(PathWalk fromWalk, PathWalk toWalk) throws ErrnoException {
        if (toWalk.leadsThrough(moved)) {
            throw new ErrnoException("rename", EINVAL);
        }
        if (replaced.isPresent() && fromWalk.leadsThrough(replaced.get())) {
            throw new ErrnoException("rename", exchange ? EINVAL : ENOTEMPTY);
        }
    }

    /// Requires that the task may take both names away, and that like replaces like.
    void requirePermission(Task task) throws ErrnoException {
        Permission.requireRemoval(task, source.directory().attr(), moved.attr());
        if (replaced.isEmpty()) {
            Permission.requireChange(task, target.directory().attr());
        } else {
            Permission.requireRemoval(
                    task, target.directory().attr(), replaced.get().attr());
            if (!exchange && isDirectory(moved) != isDirectory(replaced.get())) {
                throw new ErrnoException("rename", isDirectory(moved) ? ENOTDIR : EISDIR);
            }
        }
        if (source.directory().nodeid() != target.directory().nodeid()) {
            requireNewParent(task, moved);
            if (exchange) {
                requireNewParent(task, replaced.get());
            }
        }
    }

    /// A directory that gets another parent is written to: its `..` changes.
    private static void requireNewParent(Task task, GuestInode inode) throws ErrnoException {
        if (isDirectory(inode)) {
            Permission.require(task, inode.attr(), Permission.WRITE);
        }
    }

    private static boolean isDirectory(GuestInode inode) {
        return Stat.isDirectory(inode.attr().mode());
    }
}
