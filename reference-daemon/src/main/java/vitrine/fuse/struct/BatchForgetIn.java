package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_batch_forget_in`: how many `fuse_forget_one` follow.
public record BatchForgetIn(int count) implements WireStruct {

    /// Where its fields lie in `struct fuse_batch_forget_in`.
    public static final StructLayout LAYOUT = struct("fuse_batch_forget_in", u32("count"), u32("dummy"));

    /// Reads it, each field once.
    public static BatchForgetIn decode(WireReader in) throws MalformedException {
        BatchForgetIn value = new BatchForgetIn(in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(count);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
