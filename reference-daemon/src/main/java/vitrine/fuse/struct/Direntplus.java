package vitrine.fuse.struct;

import static vitrine.wire.Layouts.nested;
import static vitrine.wire.Layouts.struct;

import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_direntplus`: an entry of a directory and, as if it had been looked up, what it
/// names.
///
/// In the reply to READDIRPLUS. Like a LOOKUP it adds one to the lookup count, unless the name is
/// `.` or `..` or the `nodeid` is 0, which says "not looked up".
public record Direntplus(EntryOut entry, Dirent dirent) implements WireStruct {

    /// Where its fields lie in `struct fuse_direntplus`.
    public static final StructLayout LAYOUT = struct(
            "fuse_direntplus",
            nested("entry_out", EntryOut.LAYOUT),
            nested("dirent", Dirent.LAYOUT)); // the name follows, as it does a dirent

    private static final int ENTRY_SIZE = 128;

    /// Reads it and its name.
    public static Direntplus decode(WireReader in) throws MalformedException {
        return new Direntplus(EntryOut.decode(in), Dirent.decode(in));
    }

    /// Reads all entries of a reply.
    public static List<Direntplus> decodeAll(WireReader in) throws MalformedException {
        List<Direntplus> entries = new ArrayList<>();
        while (in.remaining() > 0) {
            entries.add(decode(in));
        }
        return entries;
    }

    @Override
    public void encode(WireWriter out) {
        entry.encode(out);
        dirent.encode(out);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public int sizeInBytes() {
        return size(dirent.name());
    }

    /// How many bytes the entry of this name takes: what decides whether it still fits.
    public static int size(Name name) {
        return ENTRY_SIZE + Dirent.size(name);
    }
}
