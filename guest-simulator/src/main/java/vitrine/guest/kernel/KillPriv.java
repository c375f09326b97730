package vitrine.guest.kernel;

import static vitrine.posix.Errno.EOPNOTSUPP;
import static vitrine.posix.Stat.S_ISGID;
import static vitrine.posix.Stat.S_ISUID;
import static vitrine.posix.Stat.S_IXGRP;

import java.util.EnumSet;
import java.util.Set;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.Attr;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// Who clears the set-ID bits: what Linux does in the guest before it changes a file's data or
/// owner.
///
/// A set-user-ID program must lose the bit when somebody writes to it, or anybody who may write
/// could put their own code behind another's identity. The VFS finds out what has to go; how it
/// goes depends on what INIT agreed on:
///
/// | agreed | before a write the guest sends | who clears |
/// |---|---|---|
/// | nothing | GETATTR, SETATTR(mode) | the guest |
/// | HANDLE_KILLPRIV | an empty SETATTR | the server, on each write |
/// | HANDLE_KILLPRIV_V2 | an empty SETATTR, and a flag in the WRITE | the server, when told to |
///
/// With extended attributes there is a GETXATTR of `security.capability` before it, for file
/// capabilities go the same way. Only V2 lets the guest remember that there is nothing to kill
/// (S_NOSEC): without it *every* write pays for the question.
final class KillPriv {

    /// Attribute that holds a program's capabilities (capabilities(7)).
    static final String CAPABILITY_ATTRIBUTE = "security.capability";

    /// What has to go.
    enum Kill {
        SUID,
        SGID,
        CAPABILITIES
    }

    private final FuseClient client;
    private final ExtendedAttributes xattrs;
    private final Decisions decisions;

    KillPriv(FuseClient client, ExtendedAttributes xattrs, Decisions decisions) {
        this.client = client;
        this.xattrs = xattrs;
        this.decisions = decisions;
    }

    /// What a change of data has to take from a file (`dentry_needs_remove_privs` in Linux).
    Set<Kill> neededForData(Task task, GuestInode inode) throws ErrnoException {
        if (inode.nothingToKill() || !Stat.isRegular(inode.attr().mode())) {
            decisions.decided("kill: needed?", "nothing to kill is remembered for the file", "nothing is sent");
            return EnumSet.noneOf(Kill.class);
        }
        Set<Kill> kill = EnumSet.noneOf(Kill.class);
        if (!task.can(Capability.FSETID)) {
            kill.addAll(setIdBits(task, inode.attr()));
        }
        if (hasCapabilities(task, inode)) {
            kill.add(Kill.CAPABILITIES);
        }
        decisions.decided(
                "kill: needed?",
                "mode " + Integer.toOctalString(inode.attr().mode() & 07777) + ", CAP_FSETID "
                        + (task.can(Capability.FSETID) ? "yes" : "no"),
                kill.isEmpty() ? "nothing to kill" : "kill " + kill);
        return kill;
    }

    /// Whether a write must not be delayed: only the program's own WRITE can carry the order.
    boolean serverHasToKill(Task task, GuestInode inode) {
        return client.has(InitFlag.HANDLE_KILLPRIV_V2)
                && !task.can(Capability.FSETID)
                && !setIdBits(task, inode.attr()).isEmpty();
    }

    /// What a change of owner has to take: from everybody, root too.
    Set<Kill> neededForOwner(Task task, GuestInode inode) {
        if (Stat.isDirectory(inode.attr().mode())) {
            return EnumSet.noneOf(Kill.class);
        }
        int mode = inode.attr().mode();
        Set<Kill> kill = EnumSet.of(Kill.SUID);
        boolean keepsSgid = (mode & S_ISGID) == 0
                || (mode & S_IXGRP) == 0 && (task.inGroup(inode.attr().gid()) || task.can(Capability.FSETID));
        if (!keepsSgid) {
            kill.add(Kill.SGID);
        }
        kill.add(Kill.CAPABILITIES); // whether there are any is asked when they are removed
        return kill;
    }

    /// Remembers that there is nothing to kill, if the agreement allows to rely on it.
    void rememberIfClean(GuestInode inode) {
        boolean setId = (inode.attr().mode() & (S_ISUID | S_ISGID)) != 0;
        if (client.has(InitFlag.HANDLE_KILLPRIV_V2)
                && !setId
                && Stat.isRegular(inode.attr().mode())) {
            inode.rememberNothingToKill();
            decisions.decided("kill: remember?", "HANDLE_KILLPRIV_V2", "until the attributes are refreshed");
        }
    }

    /// Whether the server clears the bits itself, so that the guest need not send a mode.
    boolean serverKills() {
        return client.has(InitFlag.HANDLE_KILLPRIV) || client.has(InitFlag.HANDLE_KILLPRIV_V2);
    }

    /// Whether requests carry the flag that asks the server to kill.
    boolean flagged(Task task) {
        return client.has(InitFlag.HANDLE_KILLPRIV_V2) && !task.can(Capability.FSETID);
    }

    /// A mode without set-ID bits, as FUSE makes it out of whatever the VFS wanted to go. A
    /// set-group-ID bit without group execution is not taken away: there it is an old mark for
    /// mandatory locking.
    static int without(int mode) {
        return mode & ~S_ISUID & ~((mode & S_IXGRP) != 0 ? S_ISGID : 0);
    }

    private static Set<Kill> setIdBits(Task task, Attr attr) {
        Set<Kill> kill = EnumSet.noneOf(Kill.class);
        if ((attr.mode() & S_ISUID) != 0) {
            kill.add(Kill.SUID);
        }
        boolean groupExecutes = (attr.mode() & S_IXGRP) != 0;
        if ((attr.mode() & S_ISGID) != 0 && (groupExecutes || !task.inGroup(attr.gid()))) {
            kill.add(Kill.SGID);
        }
        return kill;
    }

    /// Whether the file has capabilities, which is one question to the server.
    boolean hasCapabilities(Task task, GuestInode inode) throws ErrnoException {
        try {
            return xattrs.size(task, inode, CAPABILITY_ATTRIBUTE) > 0;
        } catch (ErrnoException e) {
            if (e.errno() == vitrine.posix.Errno.ENODATA || e.errno() == EOPNOTSUPP) {
                return false;
            }
            throw e;
        }
    }
}
