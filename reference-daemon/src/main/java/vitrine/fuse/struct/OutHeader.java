package vitrine.fuse.struct;

import static vitrine.wire.Layouts.s32;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_out_header`: how every reply begins; the daemon writes it.
public record OutHeader(int len, int error, long unique) implements WireStruct {

    /// Where its fields lie in `struct fuse_out_header`.
    public static final StructLayout LAYOUT = struct(
            "fuse_out_header",
            u32("len"), // the whole reply; the guest trusts it for replies of a variable size
            s32("error"), // 0, or a negative errno and then nothing follows
            u64("unique")); // copied from the request

    /// Reads it, each field once.
    public static OutHeader decode(WireReader in) throws MalformedException {
        return new OutHeader(in.u32(), in.u32(), in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(len);
        out.u32(error);
        out.u64(unique);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
