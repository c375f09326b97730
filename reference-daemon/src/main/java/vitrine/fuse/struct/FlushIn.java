package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_flush_in`: the open file that one of its holders has closed.
public record FlushIn(long fh, long lockOwner) implements WireStruct {

    /// Where its fields lie in `struct fuse_flush_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_flush_in",
            u64("fh"),
            u32("unused"),
            u32("padding"),
            u64("lock_owner")); // whose fcntl(2) locks go with it

    /// Reads it, each field once.
    public static FlushIn decode(WireReader in) throws MalformedException {
        long fh = in.u64();
        in.skip(8);
        long lockOwner = in.u64();
        return new FlushIn(fh, lockOwner);
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.zeros(8);
        out.u64(lockOwner);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "FlushIn[fh=" + fh + ", lockOwner=0x" + Long.toHexString(lockOwner) + "]";
    }
}
