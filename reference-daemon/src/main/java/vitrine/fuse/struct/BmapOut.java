package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_bmap_out`: where the block lies on the disk.
public record BmapOut(long block) implements WireStruct {

    /// Where its fields lie in `struct fuse_bmap_out`.
    public static final StructLayout LAYOUT = struct("fuse_bmap_out", u64("block"));

    /// Reads it, each field once.
    public static BmapOut decode(WireReader in) throws MalformedException {
        return new BmapOut(in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(block);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
