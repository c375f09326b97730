package vitrine.fuse;

import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;

/// Which record decodes which opcode, family by family.
final class RequestDecoder {

    private RequestDecoder() {}

    static FuseRequest decode(Buffers readable, Buffers writable, Dialect dialect) throws MalformedException {
        Incoming in = Incoming.of(readable, writable, dialect);
        Opcode opcode = Opcode.of(in.header().opcode());
        if (opcode == null) {
            return SessionRequest.Unknown.decode(in);
        }
        if (opcode.isAnswered() && !in.hasRoomForReply(opcode.structsAnswered())) {
            throw new MalformedException(opcode + " leaves no room for its reply");
        }
        return switch (opcode.family()) {
            case SESSION -> session(opcode, in);
            case INODE -> inode(opcode, in);
            case DIRECTORY -> directory(opcode, in);
            case FILE -> file(opcode, in);
            case XATTR -> xattr(opcode, in);
            case LOCK -> lock(opcode, in);
            case DAX -> dax(opcode, in);
        };
    }

    private static SessionRequest session(Opcode opcode, Incoming in) throws MalformedException {
        return switch (opcode) {
            case INIT -> SessionRequest.Init.decode(in);
            case INTERRUPT -> SessionRequest.Interrupt.decode(in);
            case DESTROY -> SessionRequest.Destroy.decode(in);
            case NOTIFY_REPLY -> SessionRequest.NotifyReply.decode(in);
            default -> throw new IllegalStateException(opcode + " has no record");
        };
    }

    private static InodeRequest inode(Opcode opcode, Incoming in) throws MalformedException {
        return switch (opcode) {
            case LOOKUP -> InodeRequest.Lookup.decode(in);
            case FORGET -> InodeRequest.Forget.decode(in);
            case GETATTR -> InodeRequest.Getattr.decode(in);
            case SETATTR -> InodeRequest.Setattr.decode(in);
            case READLINK -> InodeRequest.Readlink.decode(in);
            case STATFS -> InodeRequest.Statfs.decode(in);
            case ACCESS -> InodeRequest.Access.decode(in);
            case BMAP -> InodeRequest.Bmap.decode(in);
            case BATCH_FORGET -> InodeRequest.BatchForget.decode(in);
            case SYNCFS -> InodeRequest.Syncfs.decode(in);
            case STATX -> InodeRequest.Statx.decode(in);
            default -> throw new IllegalStateException(opcode + " has no record");
        };
    }

    private static DirectoryRequest directory(Opcode opcode, Incoming in) throws MalformedException {
        return switch (opcode) {
            case SYMLINK -> DirectoryRequest.Symlink.decode(in);
            case MKNOD -> DirectoryRequest.Mknod.decode(in);
            case MKDIR -> DirectoryRequest.Mkdir.decode(in);
            case UNLINK -> DirectoryRequest.Unlink.decode(in);
            case RMDIR -> DirectoryRequest.Rmdir.decode(in);
            case RENAME -> DirectoryRequest.Rename.decode(in);
            case LINK -> DirectoryRequest.Link.decode(in);
            case OPENDIR -> DirectoryRequest.Opendir.decode(in);
            case READDIR -> DirectoryRequest.Readdir.decode(in);
            case RELEASEDIR -> DirectoryRequest.Releasedir.decode(in);
            case FSYNCDIR -> DirectoryRequest.Fsyncdir.decode(in);
            case READDIRPLUS -> DirectoryRequest.Readdirplus.decode(in);
            case RENAME2 -> DirectoryRequest.Rename2.decode(in);
            default -> throw new IllegalStateException(opcode + " has no record");
        };
    }

    private static FileRequest file(Opcode opcode, Incoming in) throws MalformedException {
        return switch (opcode) {
            case OPEN -> FileRequest.Open.decode(in);
            case READ -> FileRequest.Read.decode(in);
            case WRITE -> FileRequest.Write.decode(in);
            case RELEASE -> FileRequest.Release.decode(in);
            case FSYNC -> FileRequest.Fsync.decode(in);
            case FLUSH -> FileRequest.Flush.decode(in);
            case CREATE -> FileRequest.Create.decode(in);
            case IOCTL -> FileRequest.Ioctl.decode(in);
            case POLL -> FileRequest.Poll.decode(in);
            case FALLOCATE -> FileRequest.Fallocate.decode(in);
            case LSEEK -> FileRequest.Lseek.decode(in);
            case COPY_FILE_RANGE -> FileRequest.CopyFileRange.decode(in);
            case TMPFILE -> FileRequest.Tmpfile.decode(in);
            case COPY_FILE_RANGE_64 -> FileRequest.CopyFileRange64.decode(in);
            default -> throw new IllegalStateException(opcode + " has no record");
        };
    }

    private static XattrRequest xattr(Opcode opcode, Incoming in) throws MalformedException {
        return switch (opcode) {
            case SETXATTR -> XattrRequest.Setxattr.decode(in);
            case GETXATTR -> XattrRequest.Getxattr.decode(in);
            case LISTXATTR -> XattrRequest.Listxattr.decode(in);
            case REMOVEXATTR -> XattrRequest.Removexattr.decode(in);
            default -> throw new IllegalStateException(opcode + " has no record");
        };
    }

    private static LockRequest lock(Opcode opcode, Incoming in) throws MalformedException {
        return switch (opcode) {
            case GETLK -> LockRequest.Getlk.decode(in);
            case SETLK -> LockRequest.Setlk.decode(in);
            case SETLKW -> LockRequest.Setlkw.decode(in);
            default -> throw new IllegalStateException(opcode + " has no record");
        };
    }

    private static DaxRequest dax(Opcode opcode, Incoming in) throws MalformedException {
        return switch (opcode) {
            case SETUPMAPPING -> DaxRequest.SetupMapping.decode(in);
            case REMOVEMAPPING -> DaxRequest.RemoveMapping.decode(in);
            default -> throw new IllegalStateException(opcode + " has no record");
        };
    }
}
