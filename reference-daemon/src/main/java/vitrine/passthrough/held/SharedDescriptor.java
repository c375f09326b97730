package vitrine.passthrough.held;

import java.util.concurrent.atomic.AtomicInteger;
import vitrine.posix.Fd;

/// A host descriptor that a table holds for the guest and that several requests may use at once.
///
/// A guest may FORGET or RELEASE on one queue what it still reads on another. If the descriptor
/// were closed at that moment, its number could be given to the next file that is opened, and the
/// READ would go there. So it is closed when the table has let go of it *and* the last request is
/// done: both are holders, and the last one out closes.
///
/// A request writes `try (OpenFile file = handles.file(fh, nodeid)) { … }`.
public abstract sealed class SharedDescriptor implements AutoCloseable
        permits Inode, OpenFile, OpenDirectory, Mount, LockTable.Owner {

    private final DescriptorBudget budget;
    private final Fd fd;
    private final AtomicInteger holders = new AtomicInteger(1); // whoever made it

    SharedDescriptor(DescriptorBudget budget, Fd fd) {
        this.budget = budget;
        this.fd = fd;
        budget.opened();
    }

    /// The descriptor, good for as long as the caller holds this.
    public final Fd fd() {
        return fd;
    }

    /// Joins the holders, unless the last one has left already.
    final boolean hold() {
        int now;
        do {
            now = holders.get();
            if (now == 0) {
                return false;
            }
        } while (!holders.compareAndSet(now, now + 1));
        return true;
    }

    /// How many hold it, the caller among them.
    final int holders() {
        return holders.get();
    }

    /// Leaves the holders; the last one closes the descriptor.
    @Override
    public final void close() {
        if (holders.decrementAndGet() == 0) {
            fd.close();
            budget.closed();
            closed();
        }
    }

    /// What else is to be given up with the descriptor.
    void closed() {}
}
