package vitrine.guest.kernel.cache;

import vitrine.fuse.flag.FopenFlag;
import vitrine.guest.kernel.OpenFile;
import vitrine.guest.kernel.rule.ReadAhead;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// An open file description as the guest's kernel has it.
public final class LinuxFile implements OpenFile {

    /// What concerns open(2) only, and is not remembered.
    private static final int FORGOTTEN = Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_NOCTTY | Fcntl.O_TRUNC;

    private final Dentry dentry;
    private final long fh;
    private final int flags;
    private final int openFlags;
    private final boolean withoutHandle;
    private long position;
    private boolean flocked;
    private int holders = 1; // descriptors together, and each mapping
    private ReadAhead.Window window = ReadAhead.Window.NONE; // guarded by the lock of the pages
    private long lastRead = -1; // likewise

    /// @param dentry the name by which it was opened; in use until the file is closed
    /// @param fh the handle that the server gave
    /// @param flags the flags of open(2)
    /// @param openFlags what the server said about caching (`FOPEN_`)
    public LinuxFile(Dentry dentry, long fh, int flags, int openFlags) {
        this(dentry, fh, flags, openFlags, false);
    }

    private LinuxFile(Dentry dentry, long fh, int flags, int openFlags, boolean withoutHandle) {
        this.dentry = dentry;
        this.fh = fh;
        this.flags = flags & ~FORGOTTEN | Fcntl.O_LARGEFILE;
        this.openFlags = openFlags;
        this.withoutHandle = withoutHandle;
    }

    /// One that the server has not opened, for it knows no OPEN: the guest opens alone.
    ///
    /// @param openFlags what the guest makes of that (`FOPEN_`)
    public static LinuxFile withoutHandle(Dentry dentry, int flags, int openFlags) {
        return new LinuxFile(dentry, 0, flags, openFlags, true);
    }

    /// The name by which it was opened.
    public Dentry dentry() {
        return dentry;
    }

    /// The file.
    public GuestInode inode() {
        return dentry.inode();
    }

    /// Whether the server knows nothing of it, so that there is nothing to release.
    public boolean isWithoutHandle() {
        return withoutHandle;
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

    /// Whether the server said so.
    public boolean has(FopenFlag flag) {
        return flag.in(openFlags);
    }

    /// Whether the program said all of that at open(2).
    public boolean opened(int how) {
        return (flags & how) == how;
    }

    @Override
    public long nodeid() {
        return inode().nodeid();
    }

    @Override
    public synchronized long position() {
        return position;
    }

    @Override
    public synchronized void position(long newPosition) {
        position = newPosition;
    }

    @Override
    public long believedSize() {
        return inode().size();
    }

    /// Whether it has a lock of flock(2), which goes with it.
    public synchronized boolean flocked() {
        return flocked;
    }

    /// It has, or has no more.
    public synchronized void flocked(boolean now) {
        flocked = now;
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

    /// What was read ahead last.
    public ReadAhead.Window window() {
        return window;
    }

    /// The same, from now on.
    public void window(ReadAhead.Window next) {
        window = next;
    }

    /// The page in which the last read ended; -1 before the first.
    public long lastRead() {
        return lastRead;
    }

    /// The same, from now on.
    public void lastRead(long page) {
        lastRead = page;
    }

    /// Whether it is a directory.
    public boolean isDirectory() {
        return Stat.isDirectory(inode().attr().mode());
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
