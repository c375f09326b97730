package vitrine.passthrough.held;

import vitrine.dax.HostFile;
import vitrine.posix.Fd;

/// A regular file that the guest has open: what a handle of OPEN or CREATE stands for.
///
/// It holds the inode as well: what is open can be asked for its attributes by its nodeid, even if
/// it has no name any more.
public final class OpenFile extends SharedDescriptor {

    private final Inode inode;
    private final boolean writable;
    private volatile boolean locked;

    /// Takes over `fd`, open for what the guest asked for.
    ///
    /// @param inode held by the caller
    public OpenFile(DescriptorBudget budget, Fd fd, Inode inode, boolean writable) {
        super(budget, fd);
        this.inode = inode;
        this.writable = writable;
        inode.hold();
    }

    /// The file that was opened.
    public long nodeid() {
        return inode.nodeid();
    }

    /// The same, as the window calls it.
    public HostFile hostFile() {
        return inode.hostFile();
    }

    @Override
    void closed() {
        inode.close();
    }

    /// Whether it has a lock of flock(2): that belongs to the descriptor, and cannot be seen there.
    public boolean isLocked() {
        return locked;
    }

    /// It has one now, or has given it up.
    public void setLocked(boolean now) {
        locked = now;
    }

    /// Whether the guest asked to write to it; on the host it may be open for more.
    public boolean writable() {
        return writable;
    }
}
