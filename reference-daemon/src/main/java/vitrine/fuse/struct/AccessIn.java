package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_access_in`: what access(2) wants to do. A Linux guest of virtio-fs checks that
/// itself and never asks.
public record AccessIn(int mask) implements WireStruct {

    /// Where its fields lie in `struct fuse_access_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_access_in",
            u32("mask"), // R_OK, W_OK, X_OK
            u32("padding"));

    /// Reads it, each field once.
    public static AccessIn decode(WireReader in) throws MalformedException {
        AccessIn value = new AccessIn(in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(mask);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
