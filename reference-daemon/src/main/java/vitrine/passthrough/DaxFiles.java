package vitrine.passthrough;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import vitrine.dax.DaxPolicy;
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;

/// Which files the guest is told to use through the DAX window, with each reply that tells
/// attributes. The guest's kernel listens when it gets to know the file, and lets go of a file as
/// soon as it can if it hears something else later.
final class DaxFiles {

    private static final int FS_IOC_FSGETXATTR = 0x801c581f;
    private static final int FSXATTR_SIZE = 28;
    private static final int FS_XFLAG_DAX = 0x8000;
    private static final int DAX = Flag.word32(AttrFlag.DAX);

    /// Nobody can open such a file for writing, so the front end could not map it.
    private static final long NEVER_WRITTEN = Stat.STATX_ATTR_IMMUTABLE | Stat.STATX_ATTR_APPEND;

    private final Syscalls sys;
    private final long device;
    private final DaxPolicy policy;
    private final Negotiation negotiation;
    private final InodeTable inodes;

    /// @param device of the share. What is mounted inside has not been tried by anybody, and is
    ///     left out: sysfs has no pages, and of an overlay on another none can be had
    DaxFiles(Syscalls sys, long device, PassthroughOptions options, Negotiation negotiation, InodeTable inodes) {
        this.sys = sys;
        this.device = device;
        this.policy = options.dax();
        this.negotiation = negotiation;
        this.inodes = inodes;
    }

    /// The [AttrFlag] of a file, or 0.
    int flag(long nodeid, FileStatus status) {
        if (!(policy instanceof DaxPolicy.Marked)) {
            return flag(null, status);
        }
        if (!mayBe(status)) {
            return 0;
        }
        try (Inode inode = inodes.hold(nodeid)) {
            return flag(inode, status);
        } catch (ErrnoException _) {
            return 0; // forgotten meanwhile
        }
    }

    /// The same for a file at hand.
    int flag(Inode inode, FileStatus status) {
        if (!mayBe(status)) {
            return 0;
        }
        boolean wanted = switch (policy) {
            case DaxPolicy.Never _ -> false;
            case DaxPolicy.Always _ -> true;
            case DaxPolicy.Large(long least) -> status.size() >= least;
            case DaxPolicy.Marked(boolean cached) -> cached ? isMarked(inode, status) : isMarkedNow(inode);
        };
        return wanted ? DAX : 0;
    }

    private boolean mayBe(FileStatus status) {
        return negotiation.has(InitFlag.HAS_INODE_DAX)
                && Stat.isRegular(status.mode())
                && status.dev() == device
                && (status.attributes() & NEVER_WRITTEN) == 0;
    }

    private boolean isMarked(Inode inode, FileStatus status) {
        return inode.daxFlag().isSet(status.ctime(), () -> askWhetherMarked(inode));
    }

    private boolean isMarkedNow(Inode inode) {
        try {
            return askWhetherMarked(inode);
        } catch (ErrnoException _) {
            return false;
        }
    }

    private boolean askWhetherMarked(Inode inode) throws ErrnoException {
        try (Fd open = sys.reopen(inode.fd(), Fcntl.O_RDONLY | Fcntl.O_NONBLOCK)) { // waits for no lease
            byte[] fsxattr = sys.ioctl(open, FS_IOC_FSGETXATTR, new byte[FSXATTR_SIZE]);
            return (ByteBuffer.wrap(fsxattr).order(ByteOrder.nativeOrder()).getInt() & FS_XFLAG_DAX) != 0;
        }
    }
}
