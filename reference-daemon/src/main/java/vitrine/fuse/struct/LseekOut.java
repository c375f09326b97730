package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_lseek_out`: where data or a hole begins.
public record LseekOut(long offset) implements WireStruct {

    /// Where its fields lie in `struct fuse_lseek_out`.
    public static final StructLayout LAYOUT = struct("fuse_lseek_out", u64("offset"));

    /// Reads it, each field once.
    public static LseekOut decode(WireReader in) throws MalformedException {
        return new LseekOut(in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(offset);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
