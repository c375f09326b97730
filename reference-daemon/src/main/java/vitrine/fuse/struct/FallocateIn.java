package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_fallocate_in`: the range whose space FALLOCATE reserves, frees or zeroes.
public record FallocateIn(long fh, long offset, long length, int mode) implements WireStruct {

    /// Where its fields lie in `struct fuse_fallocate_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_fallocate_in",
            u64("fh"),
            u64("offset"),
            u64("length"),
            u32("mode"), // FALLOC_FL_ bits of fallocate(2)
            u32("padding"));

    /// Reads it, each field once.
    public static FallocateIn decode(WireReader in) throws MalformedException {
        FallocateIn value = new FallocateIn(in.u64(), in.u64(), in.u64(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u64(offset);
        out.u64(length);
        out.u32(mode);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "FallocateIn[fh=" + fh
                + ", offset=" + offset
                + ", length=" + length
                + ", mode=0x" + Integer.toHexString(mode) + "]";
    }
}
