package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.MappingFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_setupmapping_in`: which part of a file should appear where in the DAX window.
///
/// Linux never names a handle here (`fh` is all ones), so the file has to be found by its nodeid.
public record SetupMappingIn(long fh, long foffset, long len, long flags, long moffset) implements WireStruct {

    /// Where its fields lie in `struct fuse_setupmapping_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_setupmapping_in",
            u64("fh"),
            u64("foffset"), // in the file
            u64("len"), // may reach past the end of the file
            u64("flags"), // SETUPMAPPING_FLAG_ bits
            u64("moffset")); // in the window

    /// Reads it, each field once.
    public static SetupMappingIn decode(WireReader in) throws MalformedException {
        return new SetupMappingIn(in.u64(), in.u64(), in.u64(), in.u64(), in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u64(foffset);
        out.u64(len);
        out.u64(flags);
        out.u64(moffset);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `flags` contains `flag`.
    public boolean has(MappingFlag flag) {
        return flag.in(flags);
    }

    @Override
    public String toString() {
        return "SetupMappingIn[fh=0x" + Long.toHexString(fh)
                + ", foffset=0x" + Long.toHexString(foffset)
                + ", len=0x" + Long.toHexString(len)
                + ", flags=" + MappingFlag.describe(flags)
                + ", moffset=0x" + Long.toHexString(moffset) + "]";
    }
}
