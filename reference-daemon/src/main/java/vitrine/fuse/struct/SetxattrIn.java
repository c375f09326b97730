package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.SetxattrFlag;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_setxattr_in`: the value that an extended attribute gets, and how.
///
/// The one struct whose size was agreed on: it has its second half only after SETXATTR_EXT (fuse.h:
/// FUSE_COMPAT_SETXATTR_IN_SIZE). Nothing in the request tells, so whoever decodes one must know
/// the session.
///
/// @param extended whether the second half is there; without it `setxattrFlags` is 0
public record SetxattrIn(int size, int flags, boolean extended, int setxattrFlags) implements WireStruct {

    /// Where its fields lie in `struct fuse_setxattr_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_setxattr_in",
            u32("size"), // of the value that follows the name
            u32("flags"), // XATTR_CREATE, XATTR_REPLACE of setxattr(2)
            u32("setxattr_flags"), // SETXATTR_ACL_KILL_SGID
            u32("padding"));

    private static final int COMPAT_SIZE = 8; // fuse.h: FUSE_COMPAT_SETXATTR_IN_SIZE

    /// Keeps the flags of a half that is not there from meaning anything.
    public SetxattrIn {
        setxattrFlags = extended ? setxattrFlags : 0;
    }

    /// Reads it, each field once; the second half only if it is `extended`.
    public static SetxattrIn decode(WireReader in, boolean extended) throws MalformedException {
        int size = in.u32();
        int flags = in.u32();
        if (!extended) {
            return new SetxattrIn(size, flags, false, 0);
        }
        int setxattrFlags = in.u32();
        in.skip(4); // padding
        return new SetxattrIn(size, flags, true, setxattrFlags);
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(size);
        out.u32(flags);
        if (extended) {
            out.u32(setxattrFlags);
            out.zeros(4);
        }
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public int sizeInBytes() {
        return extended ? (int) LAYOUT.byteSize() : COMPAT_SIZE;
    }

    /// Whether `setxattrFlags` contains `flag`.
    public boolean has(SetxattrFlag flag) {
        return flag.in(setxattrFlags);
    }

    @Override
    public String toString() {
        return "SetxattrIn[size=" + size
                + ", flags=" + flags
                + (extended ? ", setxattrFlags=" + SetxattrFlag.describe(setxattrFlags) : "") + "]";
    }
}
