package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_sx_time`: a point in time, in seconds and nanoseconds. Since 7.39.
public record SxTime(long tvSec, int tvNsec) implements WireStruct {

    /// Where its fields lie in `struct fuse_sx_time`.
    public static final StructLayout LAYOUT = struct(
            "fuse_sx_time",
            u64("tv_sec"), // signed
            u32("tv_nsec"),
            u32("__reserved"));

    /// Reads it, each field once.
    public static SxTime decode(WireReader in) throws MalformedException {
        SxTime value = new SxTime(in.u64(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(tvSec);
        out.u32(tvNsec);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
