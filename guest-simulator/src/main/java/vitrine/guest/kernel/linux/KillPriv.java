package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.ENODATA;
import static vitrine.posix.Errno.EOPNOTSUPP;
import static vitrine.posix.Stat.S_ISGID;
import static vitrine.posix.Stat.S_ISUID;
import static vitrine.posix.Stat.S_IXGRP;

import java.util.Set;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.kernel.Capability;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.kernel.rule.Killing;
import vitrine.guest.kernel.rule.Killing.Kill;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// The rules of [Killing], applied to a file, a task and what was agreed on.
final class KillPriv {

    /// Attribute that holds a program's capabilities (capabilities(7)).
    static final String CAPABILITY_ATTRIBUTE = "security.capability";

    private final FuseClient client;
    private final ExtendedAttributes xattrs;
    private final Decisions decisions;

    KillPriv(Mount mount, ExtendedAttributes xattrs) {
        this.client = mount.client();
        this.xattrs = xattrs;
        this.decisions = mount.decisions();
    }

    /// What a change of data has to take from a file (`dentry_needs_remove_privs` in Linux).
    Set<Kill> neededForData(Task task, GuestInode inode) throws ErrnoException {
        int mode = inode.attr().mode();
        boolean look = decisions.by(new Killing.Asked(inode.nothingToKill(), Stat.isRegular(mode)));
        return look ? decisions.by(forData(task, inode, hasCapabilities(task, inode))) : Set.of();
    }

    /// Whether a write must not be delayed: only the program's own WRITE can carry the order.
    boolean serverHasToKill(Task task, GuestInode inode) {
        return client.has(InitFlag.HANDLE_KILLPRIV_V2)
                && !forData(task, inode, false).outcome().isEmpty();
    }

    private Killing.ForData forData(Task task, GuestInode inode, boolean capabilities) {
        return new Killing.ForData(
                inode.attr().mode(),
                task.can(Capability.FSETID),
                task.inGroup(inode.attr().gid()),
                client.profile().has(KernelProfile.Habit.STRANGERS_TAKE_SGID),
                capabilities);
    }

    /// What a change of owner has to take: from everybody, root too. Whether there are capabilities
    /// is asked when they are removed.
    Set<Kill> neededForOwner(Task task, GuestInode inode) {
        return decisions.by(new Killing.ForOwner(
                inode.attr().mode(),
                task.can(Capability.FSETID),
                task.inGroup(inode.attr().gid())));
    }

    /// Remembers that there is nothing to kill, if the agreement allows to rely on it.
    void rememberIfClean(GuestInode inode) {
        if (decisions.by(new Killing.Remembered(
                client.has(InitFlag.HANDLE_KILLPRIV_V2), inode.attr().mode()))) {
            inode.rememberNothingToKill();
        }
    }

    /// Whether the server clears the bits itself, so that the guest need not send a mode.
    boolean serverKills() {
        return decisions.by(
                        new Killing.Way(client.has(InitFlag.HANDLE_KILLPRIV), client.has(InitFlag.HANDLE_KILLPRIV_V2)))
                != Killing.Killer.GUEST;
    }

    /// Whether a request carries the flag that asks the server to kill.
    ///
    /// @param direct whether it is a WRITE on one of the direct ways
    boolean flagged(Task task, boolean direct) {
        return decisions.by(
                new Killing.Flagged(direct, client.has(InitFlag.HANDLE_KILLPRIV_V2), task.can(Capability.FSETID)));
    }

    /// A mode without set-ID bits, as FUSE makes it out of whatever the VFS wanted to go. A
    /// set-group-ID bit without group execution is not taken away: there it is an old mark for
    /// mandatory locking.
    static int without(int mode) {
        return mode & ~S_ISUID & ~((mode & S_IXGRP) != 0 ? S_ISGID : 0);
    }

    /// Whether the file has capabilities, which is one question to the server.
    boolean hasCapabilities(Task task, GuestInode inode) throws ErrnoException {
        try {
            return xattrs.size(task, inode, CAPABILITY_ATTRIBUTE) > 0;
        } catch (ErrnoException e) {
            if (e.errno() == ENODATA || e.errno() == EOPNOTSUPP) {
                return false;
            }
            throw e;
        }
    }
}
