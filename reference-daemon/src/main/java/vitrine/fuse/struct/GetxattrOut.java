package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_getxattr_out`: how large the value or the list is.
public record GetxattrOut(int size) implements WireStruct {

    /// Where its fields lie in `struct fuse_getxattr_out`.
    public static final StructLayout LAYOUT = struct("fuse_getxattr_out", u32("size"), u32("padding"));

    /// Reads it, each field once.
    public static GetxattrOut decode(WireReader in) throws MalformedException {
        GetxattrOut value = new GetxattrOut(in.u32());
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
