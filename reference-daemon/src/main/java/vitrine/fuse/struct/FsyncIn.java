package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.FsyncFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_fsync_in`: the open file or directory to be made durable.
public record FsyncIn(long fh, int fsyncFlags) implements WireStruct {

    /// Where its fields lie in `struct fuse_fsync_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_fsync_in",
            u64("fh"),
            u32("fsync_flags"), // FSYNC_FDATASYNC
            u32("padding"));

    /// Reads it, each field once.
    public static FsyncIn decode(WireReader in) throws MalformedException {
        FsyncIn value = new FsyncIn(in.u64(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u32(fsyncFlags);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `fsyncFlags` contains `flag`.
    public boolean has(FsyncFlag flag) {
        return flag.in(fsyncFlags);
    }

    @Override
    public String toString() {
        return "FsyncIn[fh=" + fh + ", fsyncFlags=" + FsyncFlag.describe(fsyncFlags) + "]";
    }
}
