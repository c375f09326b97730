package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_file_lock`: a range of a file and how it is locked.
public record FileLock(long start, long end, int type, int pid) implements WireStruct {

    /// Where its fields lie in `struct fuse_file_lock`.
    public static final StructLayout LAYOUT = struct(
            "fuse_file_lock",
            u64("start"),
            u64("end"), // the last byte, included; 2^63 - 1 is the end of the file
            u32("type"), // F_RDLCK, F_WRLCK or F_UNLCK
            u32("pid")); // who holds it, told for F_GETLK

    /// Reads it, each field once.
    public static FileLock decode(WireReader in) throws MalformedException {
        return new FileLock(in.u64(), in.u64(), in.u32(), in.u32());
    }

    @Override
    public void encode(WireWriter out) {
        out.u64(start);
        out.u64(end);
        out.u32(type);
        out.u32(pid);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
