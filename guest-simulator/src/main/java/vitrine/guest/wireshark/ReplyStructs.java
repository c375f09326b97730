package vitrine.guest.wireshark;

import java.lang.foreign.StructLayout;
import java.util.List;
import vitrine.fuse.Opcode;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.BmapOut;
import vitrine.fuse.struct.CopyFileRangeOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.GetxattrOut;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.IoctlOut;
import vitrine.fuse.struct.LkOut;
import vitrine.fuse.struct.LseekOut;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.PollOut;
import vitrine.fuse.struct.StatfsOut;
import vitrine.fuse.struct.StatxOut;
import vitrine.fuse.struct.WriteOut;

/// What follows the header of a successful reply.
public final class ReplyStructs {

    private ReplyStructs() {}

    /// The structs, in their order.
    public static List<StructLayout> of(Opcode opcode) {
        return switch (opcode) {
            case LOOKUP, SYMLINK, MKNOD, MKDIR, LINK -> List.of(EntryOut.LAYOUT);
            case CREATE, TMPFILE -> List.of(EntryOut.LAYOUT, OpenOut.LAYOUT);
            case GETATTR, SETATTR -> List.of(AttrOut.LAYOUT);
            case OPEN, OPENDIR -> List.of(OpenOut.LAYOUT);
            case WRITE, COPY_FILE_RANGE -> List.of(WriteOut.LAYOUT);
            case COPY_FILE_RANGE_64 -> List.of(CopyFileRangeOut.LAYOUT);
            case STATFS -> List.of(StatfsOut.LAYOUT);
            case GETXATTR, LISTXATTR -> List.of(GetxattrOut.LAYOUT);
            case INIT -> List.of(InitOut.LAYOUT);
            case GETLK -> List.of(LkOut.LAYOUT);
            case IOCTL -> List.of(IoctlOut.LAYOUT);
            case POLL -> List.of(PollOut.LAYOUT);
            case LSEEK -> List.of(LseekOut.LAYOUT);
            case BMAP -> List.of(BmapOut.LAYOUT);
            case STATX -> List.of(StatxOut.LAYOUT);
            default -> List.of(); // nothing, or data, which a capture does not keep
        };
    }
}
