package vitrine.guest.kernel.cache;

import vitrine.fuse.struct.Attr;

/// A file as the guest's kernel knows it, as long as something in the guest refers to it.
///
/// Guarded by the [InodeCache] that it belongs to, but for the attributes, which any thread may
/// replace by newer ones.
public final class GuestInode {

    /// The root of the share always has this number (fuse.h: FUSE_ROOT_ID).
    public static final long ROOT = 1;

    private final long nodeid;
    private volatile Attr attr;
    private volatile boolean nothingToKill;
    private volatile boolean sizeIsOurs;
    private long lookups; // what FORGET has to give back
    private int uses; // walks and open files

    public GuestInode(long nodeid, Attr attr) {
        this.nodeid = nodeid;
        this.attr = attr;
    }

    /// The number by which the server knows it.
    public long nodeid() {
        return nodeid;
    }

    /// What the server said last; without a cache it is believed for one system call only.
    public Attr attr() {
        return attr;
    }

    /// Newer attributes. Another client may have set bits or capabilities since, so what was known
    /// about them is worth nothing any more (Linux clears S_NOSEC in the same place).
    public void refresh(Attr newer) {
        attr = sizeIsOurs ? withSize(newer, attr.size()) : newer;
        nothingToKill = false;
    }

    /// Our own write made the file longer; the server was not asked.
    public void growTo(long size) {
        Attr old = attr;
        if (size > old.size()) {
            attr = withSize(old, size);
        }
    }

    /// The file ends here now; the server was not asked.
    public void truncated(long size) {
        attr = withSize(attr, size);
    }

    /// Whether the server does not know the size yet, so that its word about it counts for nothing.
    public void keepSize(boolean ours) {
        sizeIsOurs = ours;
    }

    /// Whether a write needs no thought of set-ID bits and capabilities (S_NOSEC in Linux).
    public boolean nothingToKill() {
        return nothingToKill;
    }

    /// It is, until the next attributes come.
    public void rememberNothingToKill() {
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
