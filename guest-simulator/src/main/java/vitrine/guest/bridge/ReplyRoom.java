package vitrine.guest.bridge;

import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.BmapOut;
import vitrine.fuse.struct.GetxattrOut;
import vitrine.fuse.struct.IoctlOut;
import vitrine.fuse.struct.LkOut;
import vitrine.fuse.struct.LseekOut;
import vitrine.fuse.struct.PollOut;
import vitrine.fuse.struct.StatfsOut;
import vitrine.fuse.struct.StatxOut;

/// How much room Linux leaves for what follows the header of a reply.
///
/// @param bytes at most [Slot#MOST_DATA]
/// @param inPages whether it is data, in pages, or else one struct or string
record ReplyRoom(long bytes, boolean inPages) {

    private static final int LONGEST_LINK = 4095; // PATH_MAX without its NUL
    private static final int UNKNOWN = 4096; // for a request that is newer than we are

    static ReplyRoom of(FuseRequest request) {
        if (request.opcode() == null) {
            return struct(UNKNOWN);
        }
        if (!request.opcode().isAnswered()) {
            return struct(0);
        }
        return switch (request) {
            case FileRequest.Read read -> pages(read.in().size());
            case DirectoryRequest.Readdir read -> pages(read.in().size());
            case DirectoryRequest.Readdirplus read -> pages(read.in().size());
            case XattrRequest.Getxattr get -> value(get.in().size());
            case XattrRequest.Listxattr list -> value(list.in().size());
            case FileRequest.Ioctl ioctl ->
                struct(IoctlOut.LAYOUT.byteSize()
                        + Integer.toUnsignedLong(ioctl.in().outSize()));
            case InodeRequest.Readlink _ -> struct(LONGEST_LINK);
            case InodeRequest.Getattr _ -> struct(AttrOut.LAYOUT.byteSize());
            case InodeRequest.Statfs _ -> struct(StatfsOut.LAYOUT.byteSize());
            case InodeRequest.Statx _ -> struct(StatxOut.LAYOUT.byteSize());
            case InodeRequest.Bmap _ -> struct(BmapOut.LAYOUT.byteSize());
            case FileRequest.Lseek _ -> struct(LseekOut.LAYOUT.byteSize());
            case FileRequest.Poll _ -> struct(PollOut.LAYOUT.byteSize());
            case LockRequest.Getlk _ -> struct(LkOut.LAYOUT.byteSize());
            default -> struct(request.opcode().structsAnswered());
        };
    }

    private static ReplyRoom value(int size) {
        return size == 0 ? struct(GetxattrOut.LAYOUT.byteSize()) : struct(Integer.toUnsignedLong(size));
    }

    private static ReplyRoom struct(long bytes) {
        return new ReplyRoom(Math.min(bytes, Slot.MOST_DATA), false);
    }

    private static ReplyRoom pages(int bytes) {
        return new ReplyRoom(Math.min(Integer.toUnsignedLong(bytes), Slot.MOST_DATA), true);
    }
}
