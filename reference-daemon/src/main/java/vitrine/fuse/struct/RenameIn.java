package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_rename_in`: the directory into which RENAME moves.
public record RenameIn(long newdir) implements WireStruct {

    /// Where its fields lie in `struct fuse_rename_in`.
    public static final StructLayout LAYOUT =
            struct("fuse_rename_in", u64("newdir")); // a nodeid; the old directory is in the header

    /// Reads it, each field once.
    public static RenameIn decode(WireReader in) throws MalformedException {
        return new RenameIn(in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(newdir);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
