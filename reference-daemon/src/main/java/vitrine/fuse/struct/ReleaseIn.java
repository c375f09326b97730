package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.ReleaseFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_release_in`: the open file that its last holder has closed.
public record ReleaseIn(long fh, int flags, int releaseFlags, long lockOwner) implements WireStruct {

    /// Where its fields lie in `struct fuse_release_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_release_in",
            u64("fh"),
            u32("flags"), // open(2) flags
            u32("release_flags"), // RELEASE_FLUSH, RELEASE_FLOCK_UNLOCK
            u64("lock_owner")); // whose flock(2) goes with it

    /// Reads it, each field once.
    public static ReleaseIn decode(WireReader in) throws MalformedException {
        return new ReleaseIn(in.u64(), in.u32(), in.u32(), in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u32(flags);
        out.u32(releaseFlags);
        out.u64(lockOwner);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Whether `releaseFlags` contains `flag`.
    public boolean has(ReleaseFlag flag) {
        return flag.in(releaseFlags);
    }

    @Override
    public String toString() {
        return "ReleaseIn[fh=" + fh
                + ", flags=0" + Integer.toOctalString(flags)
                + ", releaseFlags=" + ReleaseFlag.describe(releaseFlags)
                + ", lockOwner=0x" + Long.toHexString(lockOwner) + "]";
    }
}
