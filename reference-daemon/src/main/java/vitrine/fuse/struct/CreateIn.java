package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.OpenFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_create_in`: how CREATE and TMPFILE make a file and open it.
public record CreateIn(int flags, int mode, int umask, int openFlags) implements WireStruct {

    /// Where its fields lie in `struct fuse_create_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_create_in",
            u32("flags"), // open(2) flags, O_CREAT, O_EXCL and O_TRUNC among them
            u32("mode"),
            u32("umask"), // already applied to mode, unless DONT_MASK was agreed
            u32("open_flags")); // FUSE_OPEN_ bits

    /// Reads it, each field once.
    public static CreateIn decode(WireReader in) throws MalformedException {
        return new CreateIn(in.u32(), in.u32(), in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(flags);
        out.u32(mode);
        out.u32(umask);
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
        return "CreateIn[flags=0" + Integer.toOctalString(flags)
                + ", mode=0" + Integer.toOctalString(mode)
                + ", umask=0" + Integer.toOctalString(umask)
                + ", openFlags=" + OpenFlag.describe(openFlags) + "]";
    }
}
