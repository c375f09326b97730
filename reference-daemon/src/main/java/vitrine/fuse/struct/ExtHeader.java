package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_ext_header`: how an extension begins: its size, this header included, and what it
/// is. Since 7.38.
public record ExtHeader(int size, int type) implements WireStruct {

    /// Where its fields lie in `struct fuse_ext_header`.
    public static final StructLayout LAYOUT = struct(
            "fuse_ext_header",
            u32("size"), // a multiple of 8
            u32("type")); // up to 31 it is a fuse_secctx_header, and this its nr_secctx

    /// Reads it, each field once.
    public static ExtHeader decode(WireReader in) throws MalformedException {
        return new ExtHeader(in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(size);
        out.u32(type);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
