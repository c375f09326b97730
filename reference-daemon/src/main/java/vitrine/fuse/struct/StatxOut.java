package vitrine.fuse.struct;

import static vitrine.wire.Layouts.array;
import static vitrine.wire.Layouts.nested;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.AttrFlag;
import vitrine.wire.Layouts;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_statx_out`: the reply to STATX. Since 7.39.
public record StatxOut(long attrValid, int attrValidNsec, int flags, Statx stat) implements WireStruct {

    /// Where its fields lie in `struct fuse_statx_out`.
    public static final StructLayout LAYOUT = struct(
            "fuse_statx_out",
            u64("attr_valid"), // seconds for which the guest may believe it
            u32("attr_valid_nsec"),
            u32("flags"), // ATTR_ bits
            array("spare", 2, Layouts.U64),
            nested("stat", Statx.LAYOUT));

    /// Reads it, each field once.
    public static StatxOut decode(WireReader in) throws MalformedException {
        long attrValid = in.u64();
        int attrValidNsec = in.u32();
        int flags = in.u32();
        in.skip(16);
        Statx stat = Statx.decode(in);
        return new StatxOut(attrValid, attrValidNsec, flags, stat);
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(attrValid);
        out.u32(attrValidNsec);
        out.u32(flags);
        out.zeros(16);
        stat.encode(out);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "StatxOut[attrValid=" + attrValid
                + ", attrValidNsec=" + attrValidNsec
                + ", flags=" + AttrFlag.describe(flags)
                + ", stat=" + stat + "]";
    }
}
