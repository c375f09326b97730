package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.WriteFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_write_in`: what a WRITE request says about the data that follows it.
///
/// The daemon copies these 40 bytes out of guest memory once, before it looks at any of them. The
/// file data itself is not copied: it goes to `pwritev2` where it lies.
public record WriteIn(long fh, long offset, int size, int writeFlags, long lockOwner, int flags) implements WireStruct {

    /// Where its fields lie in `struct fuse_write_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_write_in",
            u64("fh"), // the file handle that OPEN or CREATE answered with
            u64("offset"),
            u32("size"),
            u32("write_flags"), // WRITE_CACHE, WRITE_LOCKOWNER, WRITE_KILL_SUIDGID
            u64("lock_owner"), // meaningless without WRITE_LOCKOWNER
            u32("flags"), // the open(2) flags of the guest's file description; 0 with WRITE_CACHE
            u32("padding"));

    /// Reads it, each field once.
    public static WriteIn decode(WireReader in) throws MalformedException {
        WriteIn value = new WriteIn(in.u64(), in.u64(), in.u32(), in.u32(), in.u64(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u64(offset);
        out.u32(size);
        out.u32(writeFlags);
        out.u64(lockOwner);
        out.u32(flags);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `writeFlags` contains `flag`.
    public boolean has(WriteFlag flag) {
        return flag.in(writeFlags);
    }

    @Override
    public String toString() {
        return "WriteIn[fh=" + fh
                + ", offset=" + offset
                + ", size=" + size
                + ", writeFlags=" + WriteFlag.describe(writeFlags)
                + ", lockOwner=0x" + Long.toHexString(lockOwner)
                + ", flags=0" + Integer.toOctalString(flags) + "]";
    }
}
