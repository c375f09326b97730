package vitrine.passthrough;

import java.time.Duration;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;

/// What the host says about a file, in the words of the protocol, and for how long it may be
/// believed.
final class Attributes {

    /// What to ask `statx(2)` for: all that the guest is told, and what identifies the file.
    static final int MASK = Stat.STATX_BASIC_STATS | Stat.STATX_MNT_ID;

    private static final Attr NONE = new Attr(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    private static final EntryOut NOT_LOOKED_UP = new EntryOut(0, 0, 0, 0, 0, 0, NONE);

    private final long seconds;
    private final int nanos;

    /// @param timeout for how long the guest may believe a name or attributes
    Attributes(Duration timeout) {
        seconds = timeout.getSeconds();
        nanos = timeout.getNano();
    }

    /// The reply to GETATTR and SETATTR.
    AttrOut attributes(FileStatus status) {
        return new AttrOut(seconds, nanos, attr(status, 0));
    }

    /// The reply to LOOKUP and to all that make a name.
    ///
    /// @param flags of `vitrine.fuse.flag.AttrFlag`
    EntryOut entry(long nodeid, FileStatus status, int flags) {
        return new EntryOut(nodeid, 0, seconds, seconds, nanos, nanos, attr(status, flags));
    }

    /// In the reply to READDIRPLUS: there is such a name, and the guest may look it up itself.
    static EntryOut notLookedUp() {
        return NOT_LOOKED_UP;
    }

    private static Attr attr(FileStatus status, int flags) {
        return new Attr(
                status.ino(),
                status.size(),
                status.blocks(),
                status.atime().seconds(),
                status.mtime().seconds(),
                status.ctime().seconds(),
                status.atime().nanos(),
                status.mtime().nanos(),
                status.ctime().nanos(),
                status.mode(),
                status.nlink(),
                status.uid(),
                status.gid(),
                (int) status.rdev(), // 12 + 20 bits: what Linux can have is the lower half of dev_t
                status.blksize(),
                flags);
    }
}
