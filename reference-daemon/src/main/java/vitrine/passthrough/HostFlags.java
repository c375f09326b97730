package vitrine.passthrough;

import vitrine.fuse.flag.InitFlag;
import vitrine.passthrough.held.Inode;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// With which flags of open(2) a file is opened on the host, and which files at all.
///
/// The guest's flags are a wish. What is passed on is a list of those that are known to be harmless
/// here; everything else, known or not, is left out.
final class HostFlags {

    private static final int PASSED_ON = Fcntl.O_TRUNC | Fcntl.O_SYNC | Fcntl.O_DSYNC;
    private static final int TMPFILE_ONLY = Fcntl.O_TMPFILE & ~Fcntl.O_DIRECTORY;

    private final PassthroughOptions options;
    private final Negotiation negotiation;
    private final int noatime;

    HostFlags(PassthroughOptions options, Negotiation negotiation) {
        this.options = options;
        this.negotiation = negotiation;
        noatime = options.has(Feature.PRESERVE_NOATIME) ? Fcntl.O_NOATIME : 0;
    }

    /// The flags for an open or a create on the host.
    ///
    /// `O_APPEND` is never among them: whether a WRITE appends is said in each WRITE, and one that
    /// comes from a mapped page must not, even if the file was opened so.
    int of(int guestFlags) {
        int flags = guestFlags & (Fcntl.O_ACCMODE | PASSED_ON | noatime);
        if (options.has(Feature.ALLOW_DIRECT_IO)) {
            flags |= guestFlags & Fcntl.O_DIRECT;
        }
        boolean writeOnly = (flags & Fcntl.O_ACCMODE) == Fcntl.O_WRONLY;
        if (writeOnly && negotiation.has(InitFlag.WRITEBACK_CACHE)) {
            // To complete a page of which a program wrote a part, the guest reads the rest.
            flags = flags & ~Fcntl.O_ACCMODE | Fcntl.O_RDWR;
        }
        return flags;
    }

    /// The flags for an open of a directory, which is only ever read.
    int ofDirectory(int guestFlags) {
        return Fcntl.O_RDONLY | Fcntl.O_DIRECTORY | guestFlags & noatime;
    }

    /// Refuses what would make a file: OPEN is for those that exist.
    static void requireNoCreation(int guestFlags) throws ErrnoException {
        if ((guestFlags & (Fcntl.O_CREAT | TMPFILE_ONLY)) != 0) {
            throw new ErrnoException("open with O_CREAT or O_TMPFILE", Errno.EINVAL);
        }
    }

    /// Refuses what is no regular file. The guest's kernel handles FIFOs, devices and sockets
    /// itself; on the host, opening one could wait for ever, or reach a device of the host's.
    static void requireRegular(Inode inode) throws ErrnoException {
        if (inode.type() != Stat.S_IFREG) {
            throw new ErrnoException("open", inode.type() == Stat.S_IFDIR ? Errno.EISDIR : Errno.EBADF);
        }
    }
}
