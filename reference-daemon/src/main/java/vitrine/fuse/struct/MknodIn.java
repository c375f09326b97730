package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_mknod_in`: the type, the permissions and the device of the file that MKNOD makes.
public record MknodIn(int mode, int rdev, int umask) implements WireStruct {

    /// Where its fields lie in `struct fuse_mknod_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_mknod_in",
            u32("mode"),
            u32("rdev"),
            u32("umask"), // already applied to mode, unless DONT_MASK was agreed
            u32("padding"));

    /// Reads it, each field once.
    public static MknodIn decode(WireReader in) throws MalformedException {
        MknodIn value = new MknodIn(in.u32(), in.u32(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(mode);
        out.u32(rdev);
        out.u32(umask);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "MknodIn[mode=0" + Integer.toOctalString(mode)
                + ", rdev=" + rdev
                + ", umask=0" + Integer.toOctalString(umask) + "]";
    }
}
