package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_syncfs_in`: nothing yet; SYNCFS means the whole file system of the inode in the
/// header.
public record SyncfsIn() implements WireStruct {

    /// Where its fields lie in `struct fuse_syncfs_in`.
    public static final StructLayout LAYOUT = struct("fuse_syncfs_in", u64("padding"));

    /// Reads it, each field once.
    public static SyncfsIn decode(WireReader in) throws MalformedException {
        SyncfsIn value = new SyncfsIn();
        in.skip(8); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.zeros(8);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }
}
