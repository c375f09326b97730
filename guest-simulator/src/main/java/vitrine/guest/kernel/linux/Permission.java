package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EACCES;
import static vitrine.posix.Errno.EPERM;

import vitrine.fuse.struct.Attr;
import vitrine.guest.kernel.Capability;
import vitrine.guest.kernel.Task;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// Who may do what: the checks that Linux makes in the guest before it asks the server.
///
/// virtiofs always mounts with `default_permissions`, so the server sees only requests that the
/// guest has allowed, and most of them it carries out as root. It is the guest's kernel that keeps
/// a guest's users apart.
final class Permission {

    /// Permission bits, as for access(2).
    static final int READ = 4;
    /// ditto
    static final int WRITE = 2;
    /// ditto: execute a file, search a directory
    static final int EXECUTE = 1;

    private Permission() {}

    /// Requires the wanted permissions of a file (`generic_permission` in Linux).
    ///
    /// @throws ErrnoException EACCES
    static void require(Task task, Attr attr, int wanted) throws ErrnoException {
        if (!may(task, attr, wanted)) {
            throw new ErrnoException("permission", EACCES);
        }
    }

    private static boolean may(Task task, Attr attr, int wanted) {
        int granted;
        if (task.uid() == attr.uid()) {
            granted = attr.mode() >> 6;
        } else if (task.inGroup(attr.gid())) {
            granted = attr.mode() >> 3;
        } else {
            granted = attr.mode();
        }
        return (granted & wanted) == wanted || overrides(task, attr, wanted);
    }

    /// The mode with which a new file is sent to the server: without what the umask takes, and
    /// without a set-group-ID bit that would lend the directory's group to somebody who is not in
    /// it (`mode_strip_sgid` in Linux).
    static int ofNewFile(Task task, Attr directory, int mode) {
        int masked = mode & ~task.umask();
        boolean setsGroup = (mode & Stat.S_ISGID) != 0 && (mode & Stat.S_IXGRP) != 0;
        boolean inherits = (directory.mode() & Stat.S_ISGID) != 0;
        boolean allowed = task.inGroup(directory.gid()) || task.can(Capability.FSETID);
        return setsGroup && inherits && !allowed ? masked & ~Stat.S_ISGID : masked;
    }

    /// Requires that `file` may be removed from `directory` if that is sticky: only by an owner.
    ///
    /// @throws ErrnoException EPERM
    static void requireUnsticky(Task task, Attr directory, Attr file) throws ErrnoException {
        boolean sticky = (directory.mode() & Stat.S_ISVTX) != 0;
        if (sticky && task.uid() != file.uid() && task.uid() != directory.uid() && !task.can(Capability.FOWNER)) {
            throw new ErrnoException("sticky directory", EPERM);
        }
    }

    /// Whether it is a regular file that lends nobody its owner's or its group's rights.
    static boolean isPlain(Attr attr) {
        boolean setsUser = (attr.mode() & Stat.S_ISUID) != 0;
        boolean setsGroup = (attr.mode() & Stat.S_ISGID) != 0 && (attr.mode() & Stat.S_IXGRP) != 0;
        return Stat.isRegular(attr.mode()) && !setsUser && !setsGroup;
    }

    /// Requires that the task counts as the owner.
    ///
    /// @throws ErrnoException EPERM
    static void requireOwner(Task task, Attr attr) throws ErrnoException {
        if (!isOwner(task, attr)) {
            throw new ErrnoException("owner", EPERM);
        }
    }

    /// Whether the task counts as the owner.
    static boolean isOwner(Task task, Attr attr) {
        return task.uid() == attr.uid() || task.can(Capability.FOWNER);
    }

    /// Requires that the file may go to this owner and group; -1 leaves one as it is.
    ///
    /// @throws ErrnoException EPERM
    static void requireChown(Task task, Attr attr, int uid, int gid) throws ErrnoException {
        boolean owner = task.uid() == attr.uid();
        boolean uidAllowed = uid == -1 || owner && uid == attr.uid() || task.can(Capability.CHOWN);
        boolean gidAllowed =
                gid == -1 || owner && (gid == attr.gid() || task.inGroup(gid)) || task.can(Capability.CHOWN);
        if (!uidAllowed || !gidAllowed) {
            throw new ErrnoException("chown", EPERM);
        }
    }

    private static boolean overrides(Task task, Attr attr, int wanted) {
        boolean directory = Stat.isDirectory(attr.mode());
        if (task.can(Capability.DAC_OVERRIDE)) {
            // Nobody may execute what is executable for nobody.
            return directory || (wanted & EXECUTE) == 0 || (attr.mode() & 0111) != 0;
        }
        return task.can(Capability.DAC_READ_SEARCH) && (wanted & WRITE) == 0 && (directory || wanted == READ);
    }
}
