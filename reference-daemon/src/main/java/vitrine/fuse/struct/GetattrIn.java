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

/// `struct fuse_getattr_in`: whether the attributes are asked of an inode or of an open file.
///
/// fstat(2) in a Linux guest names no handle; the kernel does so only for its own refreshes.
public record GetattrIn(int getattrFlags, long fh) implements WireStruct {

    /// Where its fields lie in `struct fuse_getattr_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_getattr_in",
            u32("getattr_flags"), // GETATTR_FH: fh says which open file
            u32("dummy"),
            u64("fh"));

    /// Reads it, each field once.
    public static GetattrIn decode(WireReader in) throws MalformedException {
        int getattrFlags = in.u32();
        in.skip(4);
        long fh = in.u64();
        return new GetattrIn(getattrFlags, fh);
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(getattrFlags);
        out.zeros(4);
        out.u64(fh);
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
        return "GetattrIn[getattrFlags=" + GetattrFlag.describe(getattrFlags) + ", fh=" + fh + "]";
    }
}
