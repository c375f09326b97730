package vitrine.guest.kernel.cache;

import vitrine.fuse.struct.Attr;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// Attributes with one of them changed.
final class Attrs {

    private Attrs() {}

    /// Those of the root before anybody has asked: out of date from the first.
    static Attr ofRoot() {
        int mode = Stat.S_IFDIR;
        return new Attr(GuestInode.ROOT, 0, 0, 0, 0, 0, 0, 0, 0, mode, 0, 0, 0, 0, 0, 0);
    }

    static Attr withSize(Attr a, long size) {
        return new Attr(
                a.ino(),
                size,
                a.blocks(),
                a.atime(),
                a.mtime(),
                a.ctime(),
                a.atimensec(),
                a.mtimensec(),
                a.ctimensec(),
                a.mode(),
                a.nlink(),
                a.uid(),
                a.gid(),
                a.rdev(),
                a.blksize(),
                a.flags());
    }

    static Attr withTimes(Attr a, Timespec mtime, Timespec ctime) {
        return new Attr(
                a.ino(),
                a.size(),
                a.blocks(),
                a.atime(),
                mtime.seconds(),
                ctime.seconds(),
                a.atimensec(),
                mtime.nanos(),
                ctime.nanos(),
                a.mode(),
                a.nlink(),
                a.uid(),
                a.gid(),
                a.rdev(),
                a.blksize(),
                a.flags());
    }

    static Attr withLinks(Attr a, int links) {
        return new Attr(
                a.ino(),
                a.size(),
                a.blocks(),
                a.atime(),
                a.mtime(),
                a.ctime(),
                a.atimensec(),
                a.mtimensec(),
                a.ctimensec(),
                a.mode(),
                links,
                a.uid(),
                a.gid(),
                a.rdev(),
                a.blksize(),
                a.flags());
    }
}
