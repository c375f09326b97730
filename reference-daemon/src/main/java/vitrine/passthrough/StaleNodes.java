package vitrine.passthrough;

import java.util.stream.LongStream;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;

/// What was not found: the name, or the very thing in which it was looked for?
///
/// Somebody on the host removes a directory and makes it anew, or replaces a file. The guest's
/// kernel still has the old one's nodeid, and asks for a name in it. The host says `ENOENT`, as it
/// does of any directory that was removed, and of any new link to a file without a name. The path
/// is there, though, and would lead to the new one: after `ESTALE`, and after no other error, Linux
/// walks it once more and looks up each name of it (fs/namei.c: retry_estale, LOOKUP_REVAL). It
/// does not for the LOOKUP before a MKDIR and its like (filename_create), which nobody can tell
/// from the LOOKUP of who wants to read: so that one is helped, and the other hears `ESTALE`.
///
/// What the guest itself has removed is no such case. Its kernel knows, and says `ENOENT` without
/// asking (fs/namei.c: IS_DEADDIR, and i_nlink in vfs_link). Only a program that has no path to
/// walk, as one that stands in a directory which the host has removed, sees the `ESTALE`, as it
/// would with NFS.
final class StaleNodes {

    private final Syscalls sys;
    private final InodeTable inodes;

    StaleNodes(Share share) {
        sys = share.sys();
        inodes = share.inodes();
    }

    /// The error that tells the guest what to do.
    ///
    /// @param said with what the request has failed
    ErrnoException explain(FuseRequest request, ErrnoException said) {
        boolean stale =
                isSaidOfStaleNodes(request, said.errno()) && nodes(request).anyMatch(this::isStale);
        return stale ? new ErrnoException(said.call(), Errno.ESTALE) : said;
    }

    private static boolean isSaidOfStaleNodes(FuseRequest request, int errno) {
        return errno == Errno.ENOENT || errno == Errno.EPERM && request instanceof FileRequest.Tmpfile; // so says ext4
    }

    /// The directories in which a request looks for names, and what it gives a new one.
    ///
    /// The root is left out. The guest has no name by which it could find another one.
    private static LongStream nodes(FuseRequest request) {
        long nodeid = request.nodeid();
        LongStream nodes = switch (request) {
            case InodeRequest.Lookup _, FileRequest.Create _, FileRequest.Tmpfile _ -> LongStream.of(nodeid);
            case DirectoryRequest.Symlink _, DirectoryRequest.Mknod _, DirectoryRequest.Mkdir _ ->
                LongStream.of(nodeid);
            case DirectoryRequest.Unlink _, DirectoryRequest.Rmdir _ -> LongStream.of(nodeid);
            case DirectoryRequest.Rename rename ->
                LongStream.of(nodeid, rename.in().newdir());
            case DirectoryRequest.Rename2 rename ->
                LongStream.of(nodeid, rename.in().newdir());
            case DirectoryRequest.Link link -> LongStream.of(nodeid, link.in().oldnodeid());
            default -> LongStream.empty();
        };
        return nodes.filter(node -> node != InodeTable.ROOT);
    }

    /// Whether it has lost its last name.
    private boolean isStale(long nodeid) {
        try (Inode inode = inodes.hold(nodeid)) {
            return sys.statx(inode.fd(), Stat.STATX_NLINK).nlink() == 0;
        } catch (ErrnoException e) {
            return e.errno() == Errno.ESTALE; // it has no descriptor, and its handle leads nowhere
        }
    }
}
