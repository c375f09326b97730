package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.AttrFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_attr`: what stat(2) in the guest shows of an inode.
///
/// Times are seconds and nanoseconds apart; the seconds are signed.
public record Attr(
        long ino,
        long size,
        long blocks,
        long atime,
        long mtime,
        long ctime,
        int atimensec,
        int mtimensec,
        int ctimensec,
        int mode,
        int nlink,
        int uid,
        int gid,
        int rdev,
        int blksize,
        int flags)
        implements WireStruct {

    /// Where its fields lie in `struct fuse_attr`.
    public static final StructLayout LAYOUT = struct(
            "fuse_attr",
            u64("ino"),
            u64("size"), // bytes
            u64("blocks"), // of 512 bytes
            u64("atime"),
            u64("mtime"),
            u64("ctime"),
            u32("atimensec"),
            u32("mtimensec"),
            u32("ctimensec"),
            u32("mode"), // type and permissions
            u32("nlink"),
            u32("uid"),
            u32("gid"),
            u32("rdev"), // as the kernel encodes it for user space: 12 bits major, 20 bits minor
            u32("blksize"),
            u32("flags")); // ATTR_SUBMOUNT, ATTR_DAX; padding before 7.32

    /// Reads it, each field once.
    public static Attr decode(WireReader in) throws MalformedException {
        return new Attr(
                in.u64(), in.u64(), in.u64(), in.u64(), in.u64(), in.u64(), in.u32(), in.u32(), in.u32(), in.u32(),
                in.u32(), in.u32(), in.u32(), in.u32(), in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(ino);
        out.u64(size);
        out.u64(blocks);
        out.u64(atime);
        out.u64(mtime);
        out.u64(ctime);
        out.u32(atimensec);
        out.u32(mtimensec);
        out.u32(ctimensec);
        out.u32(mode);
        out.u32(nlink);
        out.u32(uid);
        out.u32(gid);
        out.u32(rdev);
        out.u32(blksize);
        out.u32(flags);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `flags` contains `flag`.
    public boolean has(AttrFlag flag) {
        return flag.in(flags);
    }

    @Override
    public String toString() {
        return "Attr[ino=" + ino
                + ", size=" + size
                + ", blocks=" + blocks
                + ", atime=" + atime
                + ", mtime=" + mtime
                + ", ctime=" + ctime
                + ", atimensec=" + atimensec
                + ", mtimensec=" + mtimensec
                + ", ctimensec=" + ctimensec
                + ", mode=0" + Integer.toOctalString(mode)
                + ", nlink=" + nlink
                + ", uid=" + uid
                + ", gid=" + gid
                + ", rdev=" + rdev
                + ", blksize=" + blksize
                + ", flags=" + AttrFlag.describe(flags) + "]";
    }
}
