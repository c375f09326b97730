package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_bmap_in`: a block of a file, of which BMAP wants the place on the disk.
public record BmapIn(long block, int blocksize) implements WireStruct {

    /// Where its fields lie in `struct fuse_bmap_in`.
    public static final StructLayout LAYOUT = struct("fuse_bmap_in", u64("block"), u32("blocksize"), u32("padding"));

    /// Reads it, each field once.
    public static BmapIn decode(WireReader in) throws MalformedException {
        BmapIn value = new BmapIn(in.u64(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(block);
        out.u32(blocksize);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
