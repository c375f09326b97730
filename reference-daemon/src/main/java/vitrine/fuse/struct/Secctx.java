package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_secctx`: how a security context begins; the attribute's name and the label follow.
/// Since 7.36.
public record Secctx(int size) implements WireStruct {

    /// Where its fields lie in `struct fuse_secctx`.
    public static final StructLayout LAYOUT = struct(
            "fuse_secctx",
            u32("size"), // of the label
            u32("padding"));

    /// Reads it, each field once.
    public static Secctx decode(WireReader in) throws MalformedException {
        Secctx value = new Secctx(in.u32());
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
