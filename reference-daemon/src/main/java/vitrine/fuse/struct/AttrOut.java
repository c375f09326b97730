package vitrine.fuse.struct;

import static vitrine.wire.Layouts.nested;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_attr_out`: the attributes of an inode, the reply to GETATTR and SETATTR.
public record AttrOut(long attrValid, int attrValidNsec, Attr attr) implements WireStruct {

    /// Where its fields lie in `struct fuse_attr_out`.
    public static final StructLayout LAYOUT = struct(
            "fuse_attr_out",
            u64("attr_valid"), // seconds for which the guest may believe them
            u32("attr_valid_nsec"),
            u32("dummy"),
            nested("attr", Attr.LAYOUT));

    /// Reads it, each field once.
    public static AttrOut decode(WireReader in) throws MalformedException {
        long attrValid = in.u64();
        int attrValidNsec = in.u32();
        in.skip(4);
        Attr attr = Attr.decode(in);
        return new AttrOut(attrValid, attrValidNsec, attr);
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(attrValid);
        out.u32(attrValidNsec);
        out.zeros(4);
        attr.encode(out);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
