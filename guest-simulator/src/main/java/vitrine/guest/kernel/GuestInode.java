package vitrine.guest.kernel;

import vitrine.fuse.struct.Attr;

/// A file as the guest's kernel knows it, as long as something in the guest refers to it.
///
/// Guarded by the [InodeCache] that it belongs to, but for the attributes, which any thread may
/// replace by newer ones.
final class GuestInode {

    /// The root of the share always has this number (fuse.h: FUSE_ROOT_ID).
    static final long ROOT = 1;

    private final long nodeid;
    private volatile Attr attr;
    private volatile boolean nothingToKill;
    private volatile boolean sizeIsOurs;
    private long lookups; // what FORGET has to give back
    private int uses; // walks and open files

    GuestInode(long nodeid, Attr attr) {
        this.nodeid = nodeid;
        this.attr = attr;
    }

    long nodeid() {
        return nodeid;
    }

    /// What the server said last; without a cache it is believed for one system call only.
    Attr attr() {
        return attr;
    }

    /// Newer attributes. Another client may have set bits or capabilities since, so what was known
    /// about them is worth nothing any more (Linux clears S_NOSEC in the same place).
    void refresh(Attr newer) {
        attr = sizeIsOurs ? withSize(newer, attr.size()) : newer;
        nothingToKill = false;
    }

    /// Our own write made the file longer; the server was not asked.
    void growTo(long size) {
        Attr old = attr;
        if (size > old.size()) {
            attr = withSize(old, size);
        }
    }

    /// The file ends here now; the server was not asked.
    void truncated(long size) {
        attr = withSize(attr, size);
    }

    /// Whether the server does not know the size yet, so that its word about it counts for nothing.
    void keepSize(boolean ours) {
        sizeIsOurs = ours;
    }

    /// Whether a write needs no thought of set-ID bits and capabilities (S_NOSEC in Linux).
    boolean nothingToKill() {
        return nothingToKill;
    }

    void rememberNothingToKill() {
        nothingToKill = true;
    }

    void found() {
        lookups++;
        uses++;
    }

    void use() {
        uses++;
    }

    /// Whether that was the last use.
    boolean release() {
        return --uses == 0;
    }

    long lookups() {
        return lookups;
    }

    private static Attr withSize(Attr a, long size) {
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
}
