package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_poll_out`: which events there are now.
public record PollOut(int revents) implements WireStruct {

    /// Where its fields lie in `struct fuse_poll_out`.
    public static final StructLayout LAYOUT = struct("fuse_poll_out", u32("revents"), u32("padding"));

    /// Reads it, each field once.
    public static PollOut decode(WireReader in) throws MalformedException {
        PollOut value = new PollOut(in.u32());
        in.skip(4); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(revents);
        out.zeros(4);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public String toString() {
        return "PollOut[revents=0x" + Integer.toHexString(revents) + "]";
    }
}
