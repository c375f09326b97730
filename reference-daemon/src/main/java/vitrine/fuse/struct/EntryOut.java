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

/// `struct fuse_entry_out`: a name has been found or made, and this is what it names.
///
/// The reply to LOOKUP and to all that create a name. Each one that reaches the guest adds one to
/// the lookup count of `nodeid`, which FORGET takes back. A `nodeid` of 0 says "no such name", and
/// that the guest may remember so for as long as the entry is valid.
public record EntryOut(
        long nodeid, long generation, long entryValid, long attrValid, int entryValidNsec, int attrValidNsec, Attr attr)
        implements WireStruct {

    /// Where its fields lie in `struct fuse_entry_out`.
    public static final StructLayout LAYOUT = struct(
            "fuse_entry_out",
            u64("nodeid"),
            u64("generation"), // tells two inodes apart that had the same nodeid one after the other
            u64("entry_valid"), // seconds for which the guest may believe the name
            u64("attr_valid"), // seconds for which the guest may believe the attributes
            u32("entry_valid_nsec"),
            u32("attr_valid_nsec"),
            nested("attr", Attr.LAYOUT));

    /// Reads it, each field once.
    public static EntryOut decode(WireReader in) throws MalformedException {
        return new EntryOut(in.u64(), in.u64(), in.u64(), in.u64(), in.u32(), in.u32(), Attr.decode(in));
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(nodeid);
        out.u64(generation);
        out.u64(entryValid);
        out.u64(attrValid);
        out.u32(entryValidNsec);
        out.u32(attrValidNsec);
        attr.encode(out);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
