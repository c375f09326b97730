package vitrine.fuse.struct;

import static vitrine.wire.Layouts.array;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.Layouts;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_kstatfs`: what statfs(2) in the guest shows of the file system.
public record Kstatfs(long blocks, long bfree, long bavail, long files, long ffree, int bsize, int namelen, int frsize)
        implements WireStruct {

    /// Where its fields lie in `struct fuse_kstatfs`.
    public static final StructLayout LAYOUT = struct(
            "fuse_kstatfs",
            u64("blocks"), // in units of frsize
            u64("bfree"),
            u64("bavail"), // free for users without privileges
            u64("files"),
            u64("ffree"),
            u32("bsize"),
            u32("namelen"), // longest name
            u32("frsize"),
            u32("padding"),
            array("spare", 6, Layouts.U32));

    /// Reads it, each field once.
    public static Kstatfs decode(WireReader in) throws MalformedException {
        Kstatfs value = new Kstatfs(in.u64(), in.u64(), in.u64(), in.u64(), in.u64(), in.u32(), in.u32(), in.u32());
        in.skip(28); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(blocks);
        out.u64(bfree);
        out.u64(bavail);
        out.u64(files);
        out.u64(ffree);
        out.u32(bsize);
        out.u32(namelen);
        out.u32(frsize);
        out.zeros(28);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
