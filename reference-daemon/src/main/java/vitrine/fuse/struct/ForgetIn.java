package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_forget_in`: how many lookups of an inode the guest takes back.
public record ForgetIn(long nlookup) implements WireStruct {

    /// Where its fields lie in `struct fuse_forget_in`.
    public static final StructLayout LAYOUT = struct("fuse_forget_in", u64("nlookup"));

    /// Reads it, each field once.
    public static ForgetIn decode(WireReader in) throws MalformedException {
        return new ForgetIn(in.u64());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(nlookup);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
