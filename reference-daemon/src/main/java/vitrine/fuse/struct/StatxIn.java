package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.GetattrFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_statx_in`: what a statx(2) that wants more than GETATTR has asks for. Since 7.39.
public record StatxIn(int getattrFlags, long fh, int sxFlags, int sxMask) implements WireStruct {

    /// Where its fields lie in `struct fuse_statx_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_statx_in",
            u32("getattr_flags"), // GETATTR_FH: fh says which open file
            u32("reserved"),
            u64("fh"),
            u32("sx_flags"), // AT_STATX_SYNC_TYPE bits of statx(2)
            u32("sx_mask")); // STATX_ bits: what is wanted

    /// Reads it, each field once.
    public static StatxIn decode(WireReader in) throws MalformedException {
        int getattrFlags = in.u32();
        in.skip(4);
        long fh = in.u64();
        int sxFlags = in.u32();
        int sxMask = in.u32();
        return new StatxIn(getattrFlags, fh, sxFlags, sxMask);
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(getattrFlags);
        out.zeros(4);
        out.u64(fh);
        out.u32(sxFlags);
        out.u32(sxMask);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `getattrFlags` contains `flag`.
    public boolean has(GetattrFlag flag) {
        return flag.in(getattrFlags);
    }

    @Override
    public String toString() {
        return "StatxIn[getattrFlags=" + GetattrFlag.describe(getattrFlags)
                + ", fh=" + fh
                + ", sxFlags=0x" + Integer.toHexString(sxFlags)
                + ", sxMask=0x" + Integer.toHexString(sxMask) + "]";
    }
}
