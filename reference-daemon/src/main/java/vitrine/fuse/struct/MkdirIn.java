package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_mkdir_in`: the permissions of the directory that MKDIR makes.
public record MkdirIn(int mode, int umask) implements WireStruct {

    /// Where its fields lie in `struct fuse_mkdir_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_mkdir_in",
            u32("mode"), // without the type
            u32("umask")); // already applied to mode, unless DONT_MASK was agreed

    /// Reads it, each field once.
    public static MkdirIn decode(WireReader in) throws MalformedException {
        return new MkdirIn(in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(mode);
        out.u32(umask);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "MkdirIn[mode=0" + Integer.toOctalString(mode) + ", umask=0" + Integer.toOctalString(umask) + "]";
    }
}
