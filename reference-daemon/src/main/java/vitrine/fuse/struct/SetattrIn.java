package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_setattr_in`: which attributes change, and to what.
///
/// Only the fields named in `valid` mean anything.
public record SetattrIn(
        int valid,
        long fh,
        long size,
        long lockOwner,
        long atime,
        long mtime,
        long ctime,
        int atimensec,
        int mtimensec,
        int ctimensec,
        int mode,
        int uid,
        int gid)
        implements WireStruct {

    /// Where its fields lie in `struct fuse_setattr_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_setattr_in",
            u32("valid"), // FATTR_ bits
            u32("padding"),
            u64("fh"), // with FATTR_FH
            u64("size"),
            u64("lock_owner"), // with FATTR_LOCKOWNER
            u64("atime"),
            u64("mtime"),
            u64("ctime"), // with write-back the guest keeps ctime itself
            u32("atimensec"),
            u32("mtimensec"),
            u32("ctimensec"),
            u32("mode"),
            u32("unused4"),
            u32("uid"),
            u32("gid"),
            u32("unused5"));

    /// Reads it, each field once.
    public static SetattrIn decode(WireReader in) throws MalformedException {
        int valid = in.u32();
        in.skip(4);
        long fh = in.u64();
        long size = in.u64();
        long lockOwner = in.u64();
        long atime = in.u64();
        long mtime = in.u64();
        long ctime = in.u64();
        int atimensec = in.u32();
        int mtimensec = in.u32();
        int ctimensec = in.u32();
        int mode = in.u32();
        in.skip(4);
        int uid = in.u32();
        int gid = in.u32();
        in.skip(4);
        return new SetattrIn(
                valid, fh, size, lockOwner, atime, mtime, ctime, atimensec, mtimensec, ctimensec, mode, uid, gid);
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(valid);
        out.zeros(4);
        out.u64(fh);
        out.u64(size);
        out.u64(lockOwner);
        out.u64(atime);
        out.u64(mtime);
        out.u64(ctime);
        out.u32(atimensec);
        out.u32(mtimensec);
        out.u32(ctimensec);
        out.u32(mode);
        out.zeros(4);
        out.u32(uid);
        out.u32(gid);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `valid` contains `flag`.
    public boolean has(SetattrFlag flag) {
        return flag.in(valid);
    }

    @Override
    public String toString() {
        return "SetattrIn[valid=" + SetattrFlag.describe(valid)
                + ", fh=" + fh
                + ", size=" + size
                + ", lockOwner=0x" + Long.toHexString(lockOwner)
                + ", atime=" + atime
                + ", mtime=" + mtime
                + ", ctime=" + ctime
                + ", atimensec=" + atimensec
                + ", mtimensec=" + mtimensec
                + ", ctimensec=" + ctimensec
                + ", mode=0" + Integer.toOctalString(mode)
                + ", uid=" + uid
                + ", gid=" + gid + "]";
    }
}
