package vitrine.fuse.struct;

import static vitrine.wire.Layouts.array;
import static vitrine.wire.Layouts.nested;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u16;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.Layouts;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_statx`: what statx(2) shows of an inode, laid out like its `struct statx`. Since
/// 7.39.
public record Statx(
        int mask,
        int blksize,
        long attributes,
        int nlink,
        int uid,
        int gid,
        int mode,
        long ino,
        long size,
        long blocks,
        long attributesMask,
        SxTime atime,
        SxTime btime,
        SxTime ctime,
        SxTime mtime,
        int rdevMajor,
        int rdevMinor,
        int devMajor,
        int devMinor)
        implements WireStruct {

    /// Where its fields lie in `struct fuse_statx`.
    public static final StructLayout LAYOUT = struct(
            "fuse_statx",
            u32("mask"), // STATX_ bits: which of the fields mean anything
            u32("blksize"),
            u64("attributes"), // STATX_ATTR_ bits
            u32("nlink"),
            u32("uid"),
            u32("gid"),
            u16("mode"),
            array("__spare0", 1, Layouts.U16),
            u64("ino"),
            u64("size"),
            u64("blocks"),
            u64("attributes_mask"), // which attributes the file system knows
            nested("atime", SxTime.LAYOUT),
            nested("btime", SxTime.LAYOUT), // when the file was made: the one time that GETATTR cannot tell
            nested("ctime", SxTime.LAYOUT),
            nested("mtime", SxTime.LAYOUT),
            u32("rdev_major"),
            u32("rdev_minor"),
            u32("dev_major"),
            u32("dev_minor"),
            array("__spare2", 14, Layouts.U64));

    /// Reads it, each field once.
    public static Statx decode(WireReader in) throws MalformedException {
        int mask = in.u32();
        int blksize = in.u32();
        long attributes = in.u64();
        int nlink = in.u32();
        int uid = in.u32();
        int gid = in.u32();
        int mode = in.u16();
        in.skip(2);
        long ino = in.u64();
        long size = in.u64();
        long blocks = in.u64();
        long attributesMask = in.u64();
        SxTime atime = SxTime.decode(in);
        SxTime btime = SxTime.decode(in);
        SxTime ctime = SxTime.decode(in);
        SxTime mtime = SxTime.decode(in);
        int rdevMajor = in.u32();
        int rdevMinor = in.u32();
        int devMajor = in.u32();
        int devMinor = in.u32();
        in.skip(112);
        return new Statx(
                mask,
                blksize,
                attributes,
                nlink,
                uid,
                gid,
                mode,
                ino,
                size,
                blocks,
                attributesMask,
                atime,
                btime,
                ctime,
                mtime,
                rdevMajor,
                rdevMinor,
                devMajor,
                devMinor);
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(mask);
        out.u32(blksize);
        out.u64(attributes);
        out.u32(nlink);
        out.u32(uid);
        out.u32(gid);
        out.u16(mode);
        out.zeros(2);
        out.u64(ino);
        out.u64(size);
        out.u64(blocks);
        out.u64(attributesMask);
        atime.encode(out);
        btime.encode(out);
        ctime.encode(out);
        mtime.encode(out);
        out.u32(rdevMajor);
        out.u32(rdevMinor);
        out.u32(devMajor);
        out.u32(devMinor);
        out.zeros(112);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "Statx[mask=0x" + Integer.toHexString(mask)
                + ", blksize=" + blksize
                + ", attributes=0x" + Long.toHexString(attributes)
                + ", nlink=" + nlink
                + ", uid=" + uid
                + ", gid=" + gid
                + ", mode=0" + Integer.toOctalString(mode)
                + ", ino=" + ino
                + ", size=" + size
                + ", blocks=" + blocks
                + ", attributesMask=0x" + Long.toHexString(attributesMask)
                + ", atime=" + atime
                + ", btime=" + btime
                + ", ctime=" + ctime
                + ", mtime=" + mtime
                + ", rdevMajor=" + rdevMajor
                + ", rdevMinor=" + rdevMinor
                + ", devMajor=" + devMajor
                + ", devMinor=" + devMinor + "]";
    }
}
