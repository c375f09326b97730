package vitrine.fuse.struct;

import static vitrine.wire.Layouts.s32;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.FopenFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_open_out`: the handle of an open file, and how the guest should treat its pages.
public record OpenOut(long fh, int openFlags, int backingId) implements WireStruct {

    /// Where its fields lie in `struct fuse_open_out`.
    public static final StructLayout LAYOUT = struct(
            "fuse_open_out",
            u64("fh"), // the guest gives it back with every request on this file
            u32("open_flags"), // FOPEN_ bits
            s32("backing_id")); // padding before 7.40; means nothing over virtio

    /// An open file with these [FopenFlag]s and no backing file.
    public OpenOut(long fh, int openFlags) {
        this(fh, openFlags, 0);
    }

    /// Reads it, each field once.
    public static OpenOut decode(WireReader in) throws MalformedException {
        return new OpenOut(in.u64(), in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u32(openFlags);
        out.u32(backingId);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `openFlags` contains `flag`.
    public boolean has(FopenFlag flag) {
        return flag.in(openFlags);
    }

    @Override
    public String toString() {
        return "OpenOut[fh=" + fh + ", openFlags=" + FopenFlag.describe(openFlags) + "]";
    }
}
