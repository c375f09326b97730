package vitrine.passthrough;

import java.time.Duration;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.Statx;
import vitrine.fuse.struct.StatxOut;
import vitrine.fuse.struct.SxTime;
import vitrine.passthrough.translation.IdTranslation;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// What the host says about a file, in the words of the protocol, and for how long it may be
/// believed.
final class Attributes {

    /// The fields of statx(2) that STATX has a place for.
    static final int STATX_MASK = Stat.STATX_BASIC_STATS | Stat.STATX_BTIME;

    /// The attributes of statx(2) that are the file's; the others are of the mount on the host.
    private static final long OF_THE_FILE = Stat.STATX_ATTR_COMPRESSED
            | Stat.STATX_ATTR_IMMUTABLE
            | Stat.STATX_ATTR_APPEND
            | Stat.STATX_ATTR_NODUMP
            | Stat.STATX_ATTR_ENCRYPTED
            | Stat.STATX_ATTR_VERITY;

    private static final Attr NONE = new Attr(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    private static final EntryOut NOT_LOOKED_UP = new EntryOut(0, 0, 0, 0, 0, 0, NONE);

    private final IdTranslation ids;
    private final long seconds;
    private final int nanos;

    /// @param timeout for how long the guest may believe a name or attributes
    /// @param ids what the host's users and groups are in the guest
    Attributes(Duration timeout, IdTranslation ids) {
        this.ids = ids;
        seconds = timeout.getSeconds();
        nanos = timeout.getNano();
    }

    /// The reply to GETATTR and SETATTR.
    ///
    /// @param flags of `vitrine.fuse.flag.AttrFlag`
    AttrOut attributes(FileStatus status, int flags) {
        return new AttrOut(seconds, nanos, attr(status, flags));
    }

    /// The reply to STATX: every field that the host filled in, and a mask that says which.
    ///
    /// The number of the device is not told: the guest's file system has one of its own.
    StatxOut statx(FileStatus status) {
        Statx stat = new Statx(
                status.mask() & STATX_MASK,
                status.blksize(),
                status.attributes() & OF_THE_FILE,
                status.nlink(),
                ids.users().toGuest(status.uid()),
                ids.groups().toGuest(status.gid()),
                status.mode(),
                status.ino(),
                status.size(),
                status.blocks(),
                status.attributesMask() & OF_THE_FILE,
                time(status.atime()),
                time(status.btime()),
                time(status.ctime()),
                time(status.mtime()),
                status.rdevMajor(),
                status.rdevMinor(),
                0,
                0);
        return new StatxOut(seconds, nanos, 0, stat);
    }

    private static SxTime time(Timespec time) {
        return new SxTime(time.seconds(), time.nanos());
    }

    /// The reply to LOOKUP and to all that make a name.
    ///
    /// @param generation what tells apart two files with this nodeid, one after the other
    /// @param flags of `vitrine.fuse.flag.AttrFlag`
    EntryOut entry(long nodeid, long generation, FileStatus status, int flags) {
        return new EntryOut(nodeid, generation, seconds, seconds, nanos, nanos, attr(status, flags));
    }

    /// In the reply to READDIRPLUS: there is such a name, and the guest may look it up itself.
    static EntryOut notLookedUp() {
        return NOT_LOOKED_UP;
    }

    /// In the reply to what has made something that is gone already.
    ///
    /// @param nodeid that stands for no file
    static EntryOut removed(long nodeid, int type) {
        Attr attr = new Attr(0, 0, 0, 0, 0, 0, 0, 0, 0, type, 0, 0, 0, 0, 0, 0);
        return new EntryOut(nodeid, 0, 0, 0, 0, 0, attr);
    }

    private Attr attr(FileStatus status, int flags) {
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
                ids.users().toGuest(status.uid()),
                ids.groups().toGuest(status.gid()),
                (int) status.rdev(), // 12 + 20 bits: what Linux can have is the lower half of dev_t
                status.blksize(),
                flags);
    }
}
