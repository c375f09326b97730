package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_copy_file_range_out`: how many bytes COPY_FILE_RANGE_64 copied. Since 7.45.
public record CopyFileRangeOut(long bytesCopied) implements WireStruct {

    /// Where its fields lie in `struct fuse_copy_file_range_out`.
    public static final StructLayout LAYOUT = struct("fuse_copy_file_range_out", u64("bytes_copied"));

    /// Reads it, each field once.
    public static CopyFileRangeOut decode(WireReader in) throws MalformedException {
        return new CopyFileRangeOut(in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(bytesCopied);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
