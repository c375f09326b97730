package vitrine.fuse.struct;

import static vitrine.wire.Layouts.array;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.InitFlag;
import vitrine.wire.Layouts;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_init_in`: the guest's kernel says which protocol it speaks and what it can do.
///
/// Before 7.36 the struct ended after `flags`: a guest of that age is understood as if it had sent
/// zeros.
public record InitIn(int major, int minor, int maxReadahead, int flags, int flags2) implements WireStruct {

    /// Where its fields lie in `struct fuse_init_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_init_in",
            u32("major"),
            u32("minor"),
            u32("max_readahead"), // bytes
            u32("flags"), // FUSE_ bits 0 to 31
            u32("flags2"), // bits 32 to 63, if INIT_EXT is among the flags
            array("unused", 11, Layouts.U32));

    /// Its size before 7.36.
    public static final int COMPAT_SIZE = 16;

    /// Reads it, each field once.
    public static InitIn decode(WireReader in) throws MalformedException {
        InitIn value = new InitIn(in.u32(), in.u32(), in.u32(), in.u32(), in.u32());
        in.skip(44); // unused
        return value;
    }

    /// Reads the struct as it was before 7.36.
    public static InitIn decodeCompat(WireReader in) throws MalformedException {
        return new InitIn(in.u32(), in.u32(), in.u32(), in.u32(), 0);
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(major);
        out.u32(minor);
        out.u32(maxReadahead);
        out.u32(flags);
        out.u32(flags2);
        out.zeros(44);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Both words of flags as one, to be asked for [InitFlag]s: the second word counts only if the
    /// first contains [InitFlag#INIT_EXT].
    public long allFlags() {
        long low = Integer.toUnsignedLong(flags);
        return InitFlag.INIT_EXT.in(low) ? low | (long) flags2 << 32 : low;
    }

    @Override
    public String toString() {
        return "InitIn[major=" + major
                + ", minor=" + minor
                + ", maxReadahead=" + maxReadahead
                + ", flags=" + InitFlag.describe(allFlags()) + "]";
    }
}
