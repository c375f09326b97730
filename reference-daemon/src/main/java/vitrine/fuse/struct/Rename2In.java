package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_rename2_in`: the directory into which RENAME2 moves, and how.
public record Rename2In(long newdir, int flags) implements WireStruct {

    /// Where its fields lie in `struct fuse_rename2_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_rename2_in",
            u64("newdir"), // a nodeid; the old directory is in the header
            u32("flags"), // RENAME_NOREPLACE, RENAME_EXCHANGE, RENAME_WHITEOUT of renameat2(2)
            u32("padding"));

    /// Reads it, each field once.
    public static Rename2In decode(WireReader in) throws MalformedException {
        Rename2In value = new Rename2In(in.u64(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(newdir);
        out.u32(flags);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "Rename2In[newdir=" + newdir + ", flags=0x" + Integer.toHexString(flags) + "]";
    }
}
