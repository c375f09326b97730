package vitrine.guest.kernel.cache;

import vitrine.guest.kernel.OpenFile;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// An open file description as the guest's kernel has it.
public final class LinuxFile implements OpenFile {

    /// What concerns open(2) only, and is not remembered.
    private static final int FORGOTTEN = Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_NOCTTY | Fcntl.O_TRUNC;

    private final GuestInode inode;
    private final long fh;
    private final int flags;
    private final int openFlags;
    private long position;
    private boolean flocked;
    private int holders = 1;

    /// @param fh the handle that the server gave
    /// @param flags the flags of open(2)
    /// @param openFlags what the server said about caching (`FOPEN_`)
    public LinuxFile(GuestInode inode, long fh, int flags, int openFlags) {
        this.inode = inode;
        this.fh = fh;
        this.flags = flags & ~FORGOTTEN | Fcntl.O_LARGEFILE;
        this.openFlags = openFlags;
    }

    /// The file.
    public GuestInode inode() {
        return inode;
    }

    @Override
    public long fh() {
        return fh;
    }

    @Override
    public int flags() {
        return flags;
    }

    @Override
    public int openFlags() {
        return openFlags;
    }

    @Override
    public long nodeid() {
        return inode.nodeid();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void position(long newPosition) {
        position = newPosition;
    }

    @Override
    public long believedSize() {
        return inode.attr().size();
    }

    /// A mapping of it begins: it stays open until that ends, too.
    public synchronized void hold() {
        holders++;
    }

    /// It was closed, or a mapping of it has ended.
    ///
    /// @return whether nobody has it any more
    public synchronized boolean letGo() {
        return --holders == 0;
    }

    /// Whether it has a lock of flock(2), which goes with it.
    public boolean flocked() {
        return flocked;
    }

    /// It has, or has no more.
    public void flocked(boolean now) {
        flocked = now;
    }

    /// Whether it is a directory.
    public boolean isDirectory() {
        return Stat.isDirectory(inode.attr().mode());
    }

    /// Whether it may be read.
    public boolean readable() {
        return (flags & Fcntl.O_ACCMODE) != Fcntl.O_WRONLY;
    }

    /// Whether it may be written.
    public boolean writable() {
        return (flags & Fcntl.O_ACCMODE) != Fcntl.O_RDONLY;
    }
}
