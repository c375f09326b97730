package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_removemapping_in`: how many `fuse_removemapping_one` follow.
///
/// They follow at once, after four bytes, and are not aligned.
public record RemoveMappingIn(int count) implements WireStruct {

    /// Where its fields lie in `struct fuse_removemapping_in`.
    public static final StructLayout LAYOUT = struct("fuse_removemapping_in", u32("count"));

    /// Reads it, each field once.
    public static RemoveMappingIn decode(WireReader in) throws MalformedException {
        return new RemoveMappingIn(in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(count);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
