package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_dirent`: one entry of a directory, in the reply to READDIR.
///
/// The name follows the struct, without NUL, and zeros fill up to the next multiple of 8
/// (fuse.h: FUSE_DIRENT_SIZE).
///
/// @param off where the *next* entry begins: the `offset` with which READDIR goes on after this one
/// @param type what readdir(3) shows as `d_type`
public record Dirent(long ino, long off, int type, Name name) implements WireStruct {

    /// Where its fields lie in `struct fuse_dirent`.
    public static final StructLayout LAYOUT = struct(
            "fuse_dirent",
            u64("ino"),
            u64("off"),
            u32("namelen"), // of the name that follows
            u32("type")); // DT_REG, DT_DIR and so on

    private static final int FIXED_SIZE = 24;

    /// Reads it and its name.
    public static Dirent decode(WireReader in) throws MalformedException {
        long ino = in.u64();
        long off = in.u64();
        long namelen = in.u32AsLong();
        int type = in.u32();
        Name name = in.nameOfLength(namelen);
        in.skip(size(name) - FIXED_SIZE - namelen);
        return new Dirent(ino, off, type, name);
    }

    /// Reads all entries of a reply.
    public static List<Dirent> decodeAll(WireReader in) throws MalformedException {
        List<Dirent> entries = new ArrayList<>();
        while (in.remaining() > 0) {
            entries.add(decode(in));
        }
        return entries;
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(ino);
        out.u64(off);
        out.u32(name.length());
        out.u32(type);
        out.bytes(name);
        out.zeros(sizeInBytes() - FIXED_SIZE - name.length());
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public int sizeInBytes() {
        return size(name);
    }

    /// How many bytes the entry of this name takes: what decides whether it still fits.
    public static int size(Name name) {
        return FIXED_SIZE + name.length() + 7 & ~7;
    }
}
