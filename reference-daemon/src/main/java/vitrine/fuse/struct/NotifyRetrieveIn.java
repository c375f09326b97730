package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_notify_retrieve_in`: what of a file's cached data follows; laid out to match
/// `fuse_write_in`.
public record NotifyRetrieveIn(long offset, int size) implements WireStruct {

    /// Where its fields lie in `struct fuse_notify_retrieve_in`.
    public static final StructLayout LAYOUT = struct(
            "fuse_notify_retrieve_in",
            u64("dummy1"),
            u64("offset"),
            u32("size"),
            u32("dummy2"),
            u64("dummy3"),
            u64("dummy4"));

    /// Reads it, each field once.
    public static NotifyRetrieveIn decode(WireReader in) throws MalformedException {
        in.skip(8);
        long offset = in.u64();
        int size = in.u32();
        in.skip(20);
        return new NotifyRetrieveIn(offset, size);
    }

    @Override
    public void encode(WireWriter out) {
        out.zeros(8);
        out.u64(offset);
        out.u32(size);
        out.zeros(20);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
