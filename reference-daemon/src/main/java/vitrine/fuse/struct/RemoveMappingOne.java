package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_removemapping_one`: a range of the DAX window that should show nothing any more.
public record RemoveMappingOne(long moffset, long len) implements WireStruct {

    /// Where its fields lie in `struct fuse_removemapping_one`.
    public static final StructLayout LAYOUT = struct("fuse_removemapping_one", u64("moffset"), u64("len"));

    /// Reads it, each field once.
    public static RemoveMappingOne decode(WireReader in) throws MalformedException {
        return new RemoveMappingOne(in.u64(), in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(moffset);
        out.u64(len);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "RemoveMappingOne[moffset=0x" + Long.toHexString(moffset) + ", len=0x" + Long.toHexString(len) + "]";
    }
}
