package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_forget_one`: one of the inodes that a BATCH_FORGET takes back.
public record ForgetOne(long nodeid, long nlookup) implements WireStruct {

    /// Where its fields lie in `struct fuse_forget_one`.
    public static final StructLayout LAYOUT = struct("fuse_forget_one", u64("nodeid"), u64("nlookup"));

    /// Reads it, each field once.
    public static ForgetOne decode(WireReader in) throws MalformedException {
        return new ForgetOne(in.u64(), in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(nodeid);
        out.u64(nlookup);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
