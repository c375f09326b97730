package vitrine.guest.kernel;

import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// An open file description: what file descriptors refer to.
public final class OpenFile {

    /// What concerns open(2) only, and is not remembered.
    private static final int FORGOTTEN = Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_NOCTTY | Fcntl.O_TRUNC;

    private final GuestInode inode;
    private final long fh;
    private final int flags;
    private final int openFlags;
    private long position;
    private boolean flocked;

    /// @param fh the handle that the server gave
    /// @param flags the flags of open(2)
    /// @param openFlags what the server said about caching (`FOPEN_`)
    OpenFile(GuestInode inode, long fh, int flags, int openFlags) {
        this.inode = inode;
        this.fh = fh;
        this.flags = flags & ~FORGOTTEN | Fcntl.O_LARGEFILE;
        this.openFlags = openFlags;
    }

    /// The file.
    GuestInode inode() {
        return inode;
    }

    /// The server's handle.
    public long fh() {
        return fh;
    }

    /// The flags of open(2) that stay, as requests have them (`f_flags` in Linux).
    public int flags() {
        return flags;
    }

    /// What the server said about caching (`FOPEN_`).
    public int openFlags() {
        return openFlags;
    }

    /// The number by which server and guest know the file.
    public long nodeid() {
        return inode.nodeid();
    }

    /// Where read(2) and write(2) go on.
    public long position() {
        return position;
    }

    /// Moves to another position.
    public void position(long newPosition) {
        position = newPosition;
    }

    /// Where the guest believes that the file ends. Somebody else may have moved the end since.
    public long believedSize() {
        return inode.attr().size();
    }

    /// Whether it has a lock of flock(2), which goes with it.
    boolean flocked() {
        return flocked;
    }

    /// It has, or has no more.
    void flocked(boolean now) {
        flocked = now;
    }

    /// Whether it is a directory.
    boolean isDirectory() {
        return Stat.isDirectory(inode.attr().mode());
    }

    /// Whether it may be read.
    boolean readable() {
        return (flags & Fcntl.O_ACCMODE) != Fcntl.O_WRONLY;
    }

    /// Whether it may be written.
    boolean writable() {
        return (flags & Fcntl.O_ACCMODE) != Fcntl.O_RDONLY;
    }
}
