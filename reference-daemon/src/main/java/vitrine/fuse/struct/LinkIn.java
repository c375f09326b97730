package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_link_in`: the inode that LINK gives one more name.
public record LinkIn(long oldnodeid) implements WireStruct {

    /// Where its fields lie in `struct fuse_link_in`.
    public static final StructLayout LAYOUT =
            struct("fuse_link_in", u64("oldnodeid")); // the new name's directory is in the header

    /// Reads it, each field once.
    public static LinkIn decode(WireReader in) throws MalformedException {
        return new LinkIn(in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(oldnodeid);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
