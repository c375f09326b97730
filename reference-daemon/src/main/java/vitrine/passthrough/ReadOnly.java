package vitrine.passthrough;

import vitrine.fuse.DaxRequest;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.MappingFlag;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// A share that the guest can only read ([Feature#READ_ONLY]): which requests would change it.
///
/// They are refused before anything else is looked at, so that `EROFS` says nothing about which
/// names there are. One question is left to [OpenOperations]: CREATE for reading opens a file that
/// is there already.
final class ReadOnly {

    private static final int W_OK = 2; // access(2)
    private static final int IOC_WRITE = 1 << 30; // asm-generic/ioctl.h: the caller hands something in

    private ReadOnly() {}

    /// Lets pass what only reads.
    ///
    /// @throws ErrnoException `EROFS`
    static void requireReading(FuseRequest request) throws ErrnoException {
        if (changes(request)) {
            throw new ErrnoException("opcode " + request.header().opcode(), Errno.EROFS);
        }
    }

    private static boolean changes(FuseRequest request) {
        return switch (request) {
            case SessionRequest.Init _, SessionRequest.Destroy _ -> false;
            case SessionRequest.Interrupt _, SessionRequest.NotifyReply _ -> false;
            case SessionRequest.Unknown _ -> false; // nobody carries it out

            case InodeRequest.Lookup _, InodeRequest.Forget _, InodeRequest.BatchForget _ -> false;
            case InodeRequest.Getattr _, InodeRequest.Statx _, InodeRequest.Readlink _ -> false;
            case InodeRequest.Statfs _, InodeRequest.Syncfs _, InodeRequest.Bmap _ -> false;
            case InodeRequest.Access access -> (access.in().mask() & W_OK) != 0;
            case InodeRequest.Setattr _ -> true;

            case DirectoryRequest.Symlink _, DirectoryRequest.Mknod _, DirectoryRequest.Mkdir _ -> true;
            case DirectoryRequest.Unlink _, DirectoryRequest.Rmdir _ -> true;
            case DirectoryRequest.Rename _, DirectoryRequest.Rename2 _, DirectoryRequest.Link _ -> true;
            case DirectoryRequest.Opendir _, DirectoryRequest.Releasedir _, DirectoryRequest.Fsyncdir _ -> false;
            case DirectoryRequest.Readdir _, DirectoryRequest.Readdirplus _ -> false;

            case FileRequest.Open open -> changes(open.in().flags());
            case FileRequest.Create create -> changes(create.in().flags());
            case FileRequest.Tmpfile _ -> true;
            case FileRequest.Read _, FileRequest.Lseek _, FileRequest.Poll _ -> false;
            case FileRequest.Flush _, FileRequest.Release _, FileRequest.Fsync _ -> false;
            case FileRequest.Write _, FileRequest.Fallocate _ -> true;
            case FileRequest.CopyFileRange _, FileRequest.CopyFileRange64 _ -> true;
            case FileRequest.Ioctl ioctl -> (ioctl.in().cmd() & IOC_WRITE) != 0; // chattr(1), not lsattr(1)

            case XattrRequest.Getxattr _, XattrRequest.Listxattr _ -> false;
            case XattrRequest.Setxattr _, XattrRequest.Removexattr _ -> true;

            // A lock changes no file, and a reader may want to keep writers on the host out.
            case LockRequest.Getlk _, LockRequest.Setlk _, LockRequest.Setlkw _ -> false;

            case DaxRequest.SetupMapping mapping ->
                MappingFlag.WRITE.in(mapping.in().flags());
            case DaxRequest.RemoveMapping _ -> false;
        };
    }

    /// Whether a file that is opened with these flags is changed by that, or could be after it.
    private static boolean changes(int openFlags) {
        return (openFlags & Fcntl.O_ACCMODE) != Fcntl.O_RDONLY || (openFlags & Fcntl.O_TRUNC) != 0;
    }
}
