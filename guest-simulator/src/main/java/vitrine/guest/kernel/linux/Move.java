package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ENOENT;
import static vitrine.posix.Errno.ENOTDIR;
import static vitrine.posix.Errno.ENOTEMPTY;
import static vitrine.posix.Fcntl.RENAME_NOREPLACE;

import java.util.Optional;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// A rename(2) about to happen, and what Linux checks before it asks the server (`do_renameat2` and
/// `vfs_rename`).
///
/// @param moved what has the old name
/// @param replaced what has the new name, if anything
/// @param exchange whether the two change places
record Move(PathWalk.Last source, Dentry moved, PathWalk.Last target, Optional<Dentry> replaced, boolean exchange) {

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
        if (toWalk.leadsThrough(moved.inode())) {
            throw new ErrnoException("rename", EINVAL);
        }
        if (replaced.isPresent() && fromWalk.leadsThrough(replaced.get().inode())) {
            throw new ErrnoException("rename", exchange ? EINVAL : ENOTEMPTY);
        }
    }

    /// Requires that the task may take both names away, and that like replaces like.
    void requirePermission(Attributes attributes, Task task) throws ErrnoException {
        attributes.requireRemoval(task, source.inode(), moved.inode());
        if (replaced.isEmpty()) {
            attributes.requireChange(task, target.inode());
        } else {
            attributes.requireRemoval(task, target.inode(), replaced.get().inode());
            if (!exchange && isDirectory(moved) != isDirectory(replaced.get())) {
                throw new ErrnoException("rename", isDirectory(moved) ? ENOTDIR : EISDIR);
            }
        }
        if (source.directory() != target.directory()) {
            requireNewParent(attributes, task, moved);
            if (exchange) {
                requireNewParent(attributes, task, replaced.get());
            }
        }
    }

    /// A directory that gets another parent is written to: its `..` changes.
    private static void requireNewParent(Attributes attributes, Task task, Dentry dentry) throws ErrnoException {
        if (isDirectory(dentry)) {
            attributes.require(task, dentry.inode(), Permission.WRITE);
        }
    }

    private static boolean isDirectory(Dentry dentry) {
        return Stat.isDirectory(dentry.inode().attr().mode());
    }
}
