package vitrine.fuse.struct;

import static vitrine.wire.Layouts.s32;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.IoctlFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_ioctl_out`: what the ioctl(2) returned; its output follows.
public record IoctlOut(int result, int flags, int inIovs, int outIovs) implements WireStruct {

    /// Where its fields lie in `struct fuse_ioctl_out`.
    public static final StructLayout LAYOUT = struct(
            "fuse_ioctl_out",
            s32("result"),
            u32("flags"), // IOCTL_RETRY asks for other memory of the guest process
            u32("in_iovs"),
            u32("out_iovs"));

    /// Reads it, each field once.
    public static IoctlOut decode(WireReader in) throws MalformedException {
        return new IoctlOut(in.u32(), in.u32(), in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(result);
        out.u32(flags);
        out.u32(inIovs);
        out.u32(outIovs);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "IoctlOut[result=" + result
                + ", flags=" + IoctlFlag.describe(flags)
                + ", inIovs=" + inIovs
                + ", outIovs=" + outIovs + "]";
    }
}
