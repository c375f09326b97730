package vitrine.fuse.struct;

import static vitrine.wire.Layouts.nested;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.LockFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_lk_in`: the lock that GETLK, SETLK and SETLKW are about.
public record LkIn(long fh, long owner, FileLock lk, int lkFlags) implements WireStruct {

    /// Where its fields lie in `struct fuse_lk_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_lk_in",
            u64("fh"),
            u64("owner"), // the guest's name for the process or the open file that locks
            nested("lk", FileLock.LAYOUT),
            u32("lk_flags"), // LK_FLOCK: flock(2), not fcntl(2)
            u32("padding"));

    /// Reads it, each field once.
    public static LkIn decode(WireReader in) throws MalformedException {
        LkIn value = new LkIn(in.u64(), in.u64(), FileLock.decode(in), in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u64(owner);
        lk.encode(out);
        out.u32(lkFlags);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `lkFlags` contains `flag`.
    public boolean has(LockFlag flag) {
        return flag.in(lkFlags);
    }

    @Override
    public String toString() {
        return "LkIn[fh=" + fh
                + ", owner=0x" + Long.toHexString(owner)
                + ", lk=" + lk
                + ", lkFlags=" + LockFlag.describe(lkFlags) + "]";
    }
}
