package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_secctx_header`: how many security contexts follow. Since 7.36.
public record SecctxHeader(int size, int nrSecctx) implements WireStruct {

    /// Where its fields lie in `struct fuse_secctx_header`.
    public static final StructLayout LAYOUT = struct(
            "fuse_secctx_header",
            u32("size"), // of all of them and this header
            u32("nr_secctx"));

    /// Reads it, each field once.
    public static SecctxHeader decode(WireReader in) throws MalformedException {
        return new SecctxHeader(in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(size);
        out.u32(nrSecctx);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
