package vitrine.passthrough.held;

import vitrine.posix.Fd;

/// A directory that the guest has open: what a handle of OPENDIR stands for.
///
/// The descriptor has one position, and READDIR says in each request where it wants to go on. As a
/// rule that is where the last one ended, and then `lseek` is spared. Guarded by this object's
/// monitor: two READDIRs of one handle must not move it under each other.
///
/// Like an [OpenFile] it holds the inode.
public final class OpenDirectory extends SharedDescriptor {

    private final Inode inode;
    private long position; // where the descriptor stands, if that is known
    private boolean positionKnown = true; // a new descriptor stands at 0
    private HostEntries reader; // who has read last; null: nobody

    /// Takes over `fd`, open for reading.
    ///
    /// @param inode held by the caller
    public OpenDirectory(DescriptorBudget budget, Fd fd, Inode inode) {
        super(budget, fd);
        this.inode = inode;
        inode.hold();
    }

    /// The directory that was opened.
    public long nodeid() {
        return inode.nodeid();
    }

    /// Which host directory it is.
    public FileKey key() {
        return inode.key();
    }

    @Override
    void closed() {
        inode.close();
    }

    /// Whether the descriptor stands at this mark.
    boolean isAt(long mark) {
        return positionKnown && position == mark;
    }

    /// The descriptor stands at this mark now.
    void movedTo(long mark) {
        position = mark;
        positionKnown = true;
    }

    /// Somebody reads: the descriptor stands somewhere behind what the guest has seen.
    void readBy(HostEntries entries) {
        positionKnown = false;
        reader = entries;
    }

    /// Whether nobody has read since: who has gone back to the beginning (rewinddir(3)) must not
    /// meet entries that were read before.
    boolean isReadBy(HostEntries entries) {
        return reader == entries;
    }
}
