package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.PollFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_poll_in`: which events a poll(2) on an open file waits for.
public record PollIn(long fh, long kh, int flags, int events) implements WireStruct {

    /// Where its fields lie in `struct fuse_poll_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_poll_in",
            u64("fh"),
            u64("kh"), // the guest's name for the waiter
            u32("flags"), // POLL_SCHEDULE_NOTIFY
            u32("events")); // POLLIN and so on; since 7.21

    /// Reads it, each field once.
    public static PollIn decode(WireReader in) throws MalformedException {
        return new PollIn(in.u64(), in.u64(), in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(fh);
        out.u64(kh);
        out.u32(flags);
        out.u32(events);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "PollIn[fh=" + fh
                + ", kh=" + kh
                + ", flags=" + PollFlag.describe(flags)
                + ", events=0x" + Integer.toHexString(events) + "]";
    }
}
