package vitrine.fuse.struct;

import static vitrine.wire.Layouts.nested;
import static vitrine.wire.Layouts.struct;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_lk_out`: the lock that stands in the way, or F_UNLCK.
public record LkOut(FileLock lk) implements WireStruct {

    /// Where its fields lie in `struct fuse_lk_out`.
    public static final StructLayout LAYOUT = struct("fuse_lk_out", nested("lk", FileLock.LAYOUT));

    /// Reads it, each field once.
    public static LkOut decode(WireReader in) throws MalformedException {
        return new LkOut(FileLock.decode(in));
    }

    @Override
    public void encode(WireWriter out) {
        lk.encode(out);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
