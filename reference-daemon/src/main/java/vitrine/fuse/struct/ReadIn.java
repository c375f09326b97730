package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.ReadFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_read_in`: what READ, READDIR and READDIRPLUS want.
public record ReadIn(long fh, long offset, int size, int readFlags, long lockOwner, int flags) implements WireStruct {

    /// Where its fields lie in `struct fuse_read_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_read_in",
            u64("fh"),
            u64("offset"), // of a directory: the `off` of the last entry seen, or 0
            u32("size"), // at most so many bytes
            u32("read_flags"), // READ_LOCKOWNER
            u64("lock_owner"), // meaningless without READ_LOCKOWNER
            u32("flags"), // the open(2) flags of the guest's file description
            u32("padding"));

    /// Reads it, each field once.
    public static ReadIn decode(WireReader in) throws MalformedException {
        ReadIn value = new ReadIn(in.u64(), in.u64(), in.u32(), in.u32(), in.u64(), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u64(offset);
        out.u32(size);
        out.u32(readFlags);
        out.u64(lockOwner);
        out.u32(flags);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `readFlags` contains `flag`.
    public boolean has(ReadFlag flag) {
        return flag.in(readFlags);
    }

    @Override
    public String toString() {
        return "ReadIn[fh=" + fh
                + ", offset=" + offset
                + ", size=" + size
                + ", readFlags=" + ReadFlag.describe(readFlags)
                + ", lockOwner=0x" + Long.toHexString(lockOwner)
                + ", flags=0" + Integer.toOctalString(flags) + "]";
    }
}
