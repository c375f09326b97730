package vitrine.passthrough;

import vitrine.dax.Window;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.Reply;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;

/// What the requests about the DAX window do on the host: nothing but to find the file.
final class DaxOperations {

    private final Syscalls sys;
    private final Window window;
    private final InodeTable inodes;

    DaxOperations(Share share) {
        sys = share.sys();
        window = share.window();
        inodes = share.inodes();
    }

    /// SETUPMAPPING. Linux names no handle: the file is the inode's, whoever has it open and for
    /// what. Its own kernel sees to it that nobody writes who may not.
    Reply setup(DaxRequest.SetupMapping request) throws ErrnoException {
        window.requireThere();
        try (Inode inode = inodes.hold(request.nodeid())) {
            HostFlags.requireRegular(inode);
            return window.setup(request.in(), inode.hostFile(), access -> open(request.nodeid(), access));
        }
    }

    /// REMOVEMAPPING.
    Reply remove(DaxRequest.RemoveMapping request) throws ErrnoException {
        return window.remove(request.ranges());
    }

    private Fd open(long nodeid, int access) throws ErrnoException {
        try (Inode inode = inodes.hold(nodeid)) {
            return sys.reopen(inode.fd(), access | Fcntl.O_NONBLOCK); // waits for no lease
        }
    }
}
