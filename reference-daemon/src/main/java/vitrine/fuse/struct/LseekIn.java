package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_lseek_in`: where to look for data or for a hole.
public record LseekIn(long fh, long offset, int whence) implements WireStruct {

    /// Where its fields lie in `struct fuse_lseek_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_lseek_in",
            u64("fh"),
            u64("offset"),
            u32("whence"), // SEEK_DATA (3) or SEEK_HOLE (4); the guest does the others itself
            u32("padding"));

    /// Reads it, each field once.
    public static LseekIn decode(WireReader in) throws MalformedException {
        LseekIn value = new LseekIn(in.u64(), in.u64(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u64(offset);
        out.u32(whence);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
