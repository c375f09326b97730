package vitrine.passthrough;

import static vitrine.fuse.flag.SetattrFlag.CTIME;
import static vitrine.fuse.flag.SetattrFlag.FH;
import static vitrine.fuse.flag.SetattrFlag.GID;
import static vitrine.fuse.flag.SetattrFlag.KILL_SUIDGID;
import static vitrine.fuse.flag.SetattrFlag.LOCKOWNER;
import static vitrine.fuse.flag.SetattrFlag.SIZE;
import static vitrine.fuse.flag.SetattrFlag.UID;

import vitrine.fuse.Extensions;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.SetattrIn;
import vitrine.passthrough.held.HandleTable;
import vitrine.passthrough.held.Inode;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// What a SETATTR means that changes nothing: "clear the set-ID bits", and whose word counts.
///
/// Before a program's data changes, Linux takes the set-ID bits out of its attributes. With
/// HANDLE_KILLPRIV_V2 it leaves that to the server, and sends what is left of the change: nothing.
/// For WRITE this says no more than its flag. But FALLOCATE, COPY_FILE_RANGE, a write through a DAX
/// window and `chown(-1, -1)` have no flag: taken literally, the bits would survive all four.
///
/// Whoever can name a file can make their kernel send it, by `chown(-1, -1)`: with nothing to
/// change, Linux has nothing to forbid. So it depends on the sender what it means.
///
/// | sender | has the guest the file open for writing? | meaning | bits |
/// |---|---|---|---|
/// | root | | `chown(-1, -1)` | go as with root's `chown(2)` |
/// | root, who has just removed its capabilities | yes | a write by root: the rest of it | stay |
/// | root, without V2 | | the same, for else the mode would come along | stay |
/// | another | yes | a change of data | go as with a write by the sender's group |
/// | another | no | `chown(-1, -1)` | as the sender's `chown(2)`: owners may, others get `EPERM` |
/// | not told ([Feature#IDMAPPED_MOUNTS]) | yes | a change of data | go as with a write by nobody |
/// | not told, with the flag KILL_SUIDGID | | what it says | the same |
/// | not told | no | `chown(-1, -1)` | stay: it is not known whether they are the sender's |
/// | not told, without V2 | | what root or a user may mean | stay |
///
/// Two guesses are in it. Of a root without `CAP_FSETID` the request does not tell. And while a
/// file is open for writing, anybody in the guest may have been handed that open file.
final class SetIdBits {

    // They only say how, or (CTIME) that with write-back the guest has set the time itself.
    private static final long NO_CHANGE = Flag.word(FH, LOCKOWNER, KILL_SUIDGID, CTIME);
    private static final int UNCHANGED = -1; // chown(2)

    private final Syscalls sys;
    private final Negotiation negotiation;
    private final Identity identity;
    private final FileCapability capability;
    private final HandleTable handles;

    SetIdBits(Share share) {
        sys = share.sys();
        negotiation = share.negotiation();
        identity = share.identity();
        capability = share.capability();
        handles = share.handles();
    }

    /// Whether a SETATTR is there for them alone, or asks for it besides and nothing else in it
    /// does it by the way: `chown` clears them itself, `truncate` without `CAP_FSETID`.
    boolean areMeantBy(SetattrIn in) {
        return (in.valid() & ~NO_CHANGE) == 0 || in.has(KILL_SUIDGID) && !in.has(UID) && !in.has(GID) && !in.has(SIZE);
    }

    /// Clears them, if it is the sender's to ask: by a `chown` to nobody, which does it under the
    /// host's lock, and leaves a directory alone.
    void clear(InHeader sender, Inode inode, SetattrIn in) throws ErrnoException {
        boolean openForWriting = handles.isOpenForWriting(inode.nodeid());
        if (!identity.isTold(sender)) {
            boolean saidSo = openForWriting || in.has(KILL_SUIDGID);
            if (saidSo && negotiation.has(InitFlag.HANDLE_KILLPRIV_V2)) {
                identity.mayKeepSetIdBits(sender, false);
                chown(inode);
            }
        } else if (sender.uid() == 0) {
            boolean written = openForWriting && inode.hasRootRemovedCapabilities();
            if (!in.has(KILL_SUIDGID) && (written || !negotiation.has(InitFlag.HANDLE_KILLPRIV_V2))) {
                return;
            }
            identity.mayKeepSetIdBits();
            chown(inode);
        } else if (openForWriting) {
            identity.mayKeepSetIdBits(sender, false);
            chown(inode);
        } else {
            try (var _ = identity.asCaller(sender, Extensions.NONE)) {
                chown(inode);
            }
        }
        capability.removeFrom(inode); // chown has, under the name that the host's kernel knows
    }

    private void chown(Inode inode) throws ErrnoException {
        sys.chown(inode.fd(), UNCHANGED, UNCHANGED);
    }
}
