package vitrine.fuse.struct;

import static vitrine.wire.Layouts.nested;
import static vitrine.wire.Layouts.struct;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_statfs_out`: the reply to STATFS.
public record StatfsOut(Kstatfs st) implements WireStruct {

    /// Where its fields lie in `struct fuse_statfs_out`.
    public static final StructLayout LAYOUT = struct("fuse_statfs_out", nested("st", Kstatfs.LAYOUT));

    /// Reads it, each field once.
    public static StatfsOut decode(WireReader in) throws MalformedException {
        return new StatfsOut(Kstatfs.decode(in));
    }

    @Override
    public void encode(WireWriter out) {
        st.encode(out);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
