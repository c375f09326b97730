package vitrine.guest.kernel.rule;

import java.util.EnumSet;
import java.util.Set;
import vitrine.posix.Stat;

/// Who clears set-ID bits and file capabilities when somebody changes a file (`file_remove_privs`,
/// `setattr_should_drop_suidgid` and `fuse_setattr` in Linux).
///
/// A set-user-ID program must lose the bit when somebody writes to it, or anybody who may write
/// could put their own code behind another's identity. The VFS finds out what has to go
/// ([ForData], [ForOwner]); how it goes depends on what INIT agreed on ([Way]):
///
/// | agreed | before a write the guest sends | who clears |
/// |---|---|---|
/// | nothing | GETATTR, SETATTR(mode) | the guest |
/// | HANDLE_KILLPRIV | an empty SETATTR | the server, on each write |
/// | HANDLE_KILLPRIV_V2 | an empty SETATTR; a flag in the WRITE ([Flagged]) | the server, if told |
///
/// With extended attributes there is a GETXATTR of `security.capability` before it ([Asked]). Only
/// V2 lets the guest remember that there is nothing to kill ([Remembered]): without it *every*
/// write pays for the question.
public final class Killing {

    /// What has to go.
    public enum Kill {
        /// The set-user-ID bit.
        SUID,
        /// The set-group-ID bit.
        SGID,
        /// File capabilities.
        CAPABILITIES
    }

    /// Who makes it go.
    public enum Killer {
        /// The guest asks for the mode and sets one without the bits.
        GUEST,
        /// The server, for each change of the file (HANDLE_KILLPRIV).
        SERVER_ALWAYS,
        /// The server, for requests that say so (HANDLE_KILLPRIV_V2).
        SERVER_WHEN_TOLD
    }

    private Killing() {}

    /// Whether anything is looked at before data changes.
    ///
    /// @param noSec whether it is remembered that there is nothing to kill (`S_NOSEC`)
    /// @param regular whether it is a regular file
    public record Asked(boolean noSec, boolean regular) implements Rule<Boolean> {

        @Override
        public String title() {
            return "kill: look for something?";
        }

        @Override
        public Boolean outcome() {
            return !noSec && regular;
        }
    }

    /// What a change of data takes.
    ///
    /// @param mode the mode that the guest remembers
    /// @param capFsetid whether the caller has CAP_FSETID
    /// @param inGroup whether the caller is in the file's group
    /// @param strangersTakeSgid the kernel's habit ([vitrine.guest.kernel.KernelProfile.Habit])
    /// @param capabilities whether the file has some: asked for by GETXATTR, whoever writes
    public record ForData(int mode, boolean capFsetid, boolean inGroup, boolean strangersTakeSgid, boolean capabilities)
            implements Rule<Set<Kill>> {

        @Override
        public String title() {
            return "kill: what, for a change of data";
        }

        @Override
        public Set<Kill> outcome() {
            Set<Kill> kill = EnumSet.noneOf(Kill.class);
            if (!capFsetid && (mode & Stat.S_ISUID) != 0) {
                kill.add(Kill.SUID);
            }
            boolean groupExecutes = (mode & Stat.S_IXGRP) != 0;
            if (!capFsetid && (mode & Stat.S_ISGID) != 0 && (groupExecutes || strangersTakeSgid && !inGroup)) {
                kill.add(Kill.SGID);
            }
            if (capabilities) {
                kill.add(Kill.CAPABILITIES);
            }
            return kill;
        }

        @Override
        public String inputs() {
            return octal(mode) + ", CAP_FSETID " + (capFsetid ? "yes" : "no") + ", in group " + (inGroup ? "yes" : "no")
                    + ", capabilities " + (capabilities ? "yes" : "no");
        }
    }

    /// What a change of owner takes: from everybody, root too.
    ///
    /// @param mode the mode that the guest remembers
    /// @param capFsetid whether the caller has CAP_FSETID
    /// @param inGroup whether the caller is in the file's group
    public record ForOwner(int mode, boolean capFsetid, boolean inGroup) implements Rule<Set<Kill>> {

        @Override
        public String title() {
            return "kill: what, for a change of owner";
        }

        @Override
        public Set<Kill> outcome() {
            if (Stat.isDirectory(mode)) {
                return EnumSet.noneOf(Kill.class);
            }
            Set<Kill> kill = EnumSet.of(Kill.SUID, Kill.CAPABILITIES);
            boolean groupExecutes = (mode & Stat.S_IXGRP) != 0;
            if ((mode & Stat.S_ISGID) != 0 && (groupExecutes || !inGroup && !capFsetid)) {
                kill.add(Kill.SGID);
            }
            return kill;
        }

        @Override
        public String inputs() {
            return octal(mode) + ", CAP_FSETID " + (capFsetid ? "yes" : "no") + ", in group "
                    + (inGroup ? "yes" : "no");
        }
    }

    /// Who kills.
    ///
    /// @param killpriv whether HANDLE_KILLPRIV was agreed on
    /// @param killprivV2 whether HANDLE_KILLPRIV_V2 was
    public record Way(boolean killpriv, boolean killprivV2) implements Rule<Killer> {

        @Override
        public String title() {
            return "kill: who";
        }

        @Override
        public Killer outcome() {
            if (killprivV2) {
                return Killer.SERVER_WHEN_TOLD;
            }
            return killpriv ? Killer.SERVER_ALWAYS : Killer.GUEST;
        }
    }

    /// Whether a request carries the flag that orders the kill (fuse.h: FUSE_WRITE_KILL_SUIDGID and
    /// its like). A direct WRITE always may: on that way nobody else has looked at the bits.
    ///
    /// @param direct whether it is a WRITE on one of the direct ways
    /// @param killprivV2 whether HANDLE_KILLPRIV_V2 was agreed on
    /// @param capFsetid whether the caller has CAP_FSETID
    public record Flagged(boolean direct, boolean killprivV2, boolean capFsetid) implements Rule<Boolean> {

        @Override
        public String title() {
            return "kill: told to the server?";
        }

        @Override
        public Boolean outcome() {
            return (direct || killprivV2) && !capFsetid;
        }
    }

    /// Whether it is remembered that there is nothing to kill (`S_NOSEC`). Another client may set
    /// bits behind our back, so that it holds until the next attributes come; and only who agreed
    /// on V2 has a server that clears what the guest then does not see (`SB_NOSEC`).
    ///
    /// @param killprivV2 whether HANDLE_KILLPRIV_V2 was agreed on
    /// @param mode the mode that the guest remembers
    public record Remembered(boolean killprivV2, int mode) implements Rule<Boolean> {

        @Override
        public String title() {
            return "kill: remember that there is nothing?";
        }

        @Override
        public Boolean outcome() {
            return killprivV2 && Stat.isRegular(mode) && (mode & (Stat.S_ISUID | Stat.S_ISGID)) == 0;
        }

        @Override
        public String inputs() {
            return "V2 " + (killprivV2 ? "yes" : "no") + ", " + octal(mode);
        }
    }

    private static String octal(int mode) {
        return "mode " + String.format("%04o", mode & 07777);
    }
}
