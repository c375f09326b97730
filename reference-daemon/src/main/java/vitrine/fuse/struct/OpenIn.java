package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.OpenFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_open_in`: how OPEN and OPENDIR open.
///
/// The kernel keeps O_CREAT, O_EXCL and O_NOCTTY to itself, and O_TRUNC as well unless
/// ATOMIC_O_TRUNC was agreed; the permissions are already checked.
public record OpenIn(int flags, int openFlags) implements WireStruct {

    /// Where its fields lie in `struct fuse_open_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_open_in",
            u32("flags"), // open(2) flags
            u32("open_flags")); // FUSE_OPEN_ bits

    /// Reads it, each field once.
    public static OpenIn decode(WireReader in) throws MalformedException {
        return new OpenIn(in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(flags);
        out.u32(openFlags);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `openFlags` contains `flag`.
    public boolean has(OpenFlag flag) {
        return flag.in(openFlags);
    }

    @Override
    public String toString() {
        return "OpenIn[flags=0" + Integer.toOctalString(flags) + ", openFlags=" + OpenFlag.describe(openFlags) + "]";
    }
}
