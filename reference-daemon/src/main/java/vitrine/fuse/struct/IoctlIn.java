package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.IoctlFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_ioctl_in`: an ioctl(2), whose input follows.
public record IoctlIn(long fh, int flags, int cmd, long arg, int inSize, int outSize) implements WireStruct {

    /// Where its fields lie in `struct fuse_ioctl_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_ioctl_in",
            u64("fh"),
            u32("flags"), // IOCTL_ bits
            u32("cmd"),
            u64("arg"), // a number, or an address in the guest process
            u32("in_size"), // bytes that follow
            u32("out_size")); // room for the answer

    /// Reads it, each field once.
    public static IoctlIn decode(WireReader in) throws MalformedException {
        return new IoctlIn(in.u64(), in.u32(), in.u32(), in.u64(), in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u32(flags);
        out.u32(cmd);
        out.u64(arg);
        out.u32(inSize);
        out.u32(outSize);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `flags` contains `flag`.
    public boolean has(IoctlFlag flag) {
        return flag.in(flags);
    }

    @Override
    public String toString() {
        return "IoctlIn[fh=" + fh
                + ", flags=" + IoctlFlag.describe(flags)
                + ", cmd=0x" + Integer.toHexString(cmd)
                + ", arg=0x" + Long.toHexString(arg)
                + ", inSize=" + inSize
                + ", outSize=" + outSize + "]";
    }
}
