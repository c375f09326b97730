package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_write_out`: how many bytes were written or copied; fewer than asked is no error.
public record WriteOut(int size) implements WireStruct {

    /// Where its fields lie in `struct fuse_write_out`.
    public static final StructLayout LAYOUT = struct("fuse_write_out", u32("size"), u32("padding"));

    /// Reads it, each field once.
    public static WriteOut decode(WireReader in) throws MalformedException {
        WriteOut value = new WriteOut(in.u32());
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
