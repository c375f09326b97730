package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_supp_groups`: how many supplementary groups follow, each a 32-bit gid. Since 7.38.
public record SuppGroups(int nrGroups) implements WireStruct {

    /// Where its fields lie in `struct fuse_supp_groups`.
    public static final StructLayout LAYOUT = struct("fuse_supp_groups", u32("nr_groups"));

    /// Reads it, each field once.
    public static SuppGroups decode(WireReader in) throws MalformedException {
        return new SuppGroups(in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(nrGroups);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
