package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_interrupt_in`: which request its process no longer waits for.
public record InterruptIn(long unique) implements WireStruct {

    /// Where its fields lie in `struct fuse_interrupt_in`.
    public static final StructLayout LAYOUT = struct("fuse_interrupt_in", u64("unique"));

    /// Reads it, each field once.
    public static InterruptIn decode(WireReader in) throws MalformedException {
        return new InterruptIn(in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(unique);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
