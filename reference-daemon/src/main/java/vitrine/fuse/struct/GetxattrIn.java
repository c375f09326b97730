package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_getxattr_in`: how large a value or a list the caller has room for; 0 asks for its
/// size only.
public record GetxattrIn(int size) implements WireStruct {

    /// Where its fields lie in `struct fuse_getxattr_in`.
    public static final StructLayout LAYOUT = struct("fuse_getxattr_in", u32("size"), u32("padding"));

    /// Reads it, each field once.
    public static GetxattrIn decode(WireReader in) throws MalformedException {
        GetxattrIn value = new GetxattrIn(in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(size);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
