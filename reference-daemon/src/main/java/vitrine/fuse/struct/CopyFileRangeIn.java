package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_copy_file_range_in`: what to copy from one open file to another, within the host.
///
/// The source's nodeid is in the header.
public record CopyFileRangeIn(long fhIn, long offIn, long nodeidOut, long fhOut, long offOut, long len, long flags)
        implements WireStruct {

    /// Where its fields lie in `struct fuse_copy_file_range_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_copy_file_range_in",
            u64("fh_in"),
            u64("off_in"),
            u64("nodeid_out"),
            u64("fh_out"),
            u64("off_out"),
            u64("len"),
            u64("flags")); // of copy_file_range(2): 0

    /// Reads it, each field once.
    public static CopyFileRangeIn decode(WireReader in) throws MalformedException {
        return new CopyFileRangeIn(in.u64(), in.u64(), in.u64(), in.u64(), in.u64(), in.u64(), in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fhIn);
        out.u64(offIn);
        out.u64(nodeidOut);
        out.u64(fhOut);
        out.u64(offOut);
        out.u64(len);
        out.u64(flags);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "CopyFileRangeIn[fhIn=" + fhIn
                + ", offIn=" + offIn
                + ", nodeidOut=" + nodeidOut
                + ", fhOut=" + fhOut
                + ", offOut=" + offOut
                + ", len=" + len
                + ", flags=0x" + Long.toHexString(flags) + "]";
    }
}
