package vitrine.passthrough.held;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;

/// Which known file gives its descriptor up when they are short.
///
/// The hand of a clock goes round all files, and who was used since it came by last is spared once.
/// It does not go on for ever, as a guest that has everything open could have it do: after a while
/// it spares nobody, and then it gives up itself.
final class ClockHand {

    private static final int STEPS = 1024;
    private static final int NOT_OPEN = 2; // holders: the table and whoever looks

    private final Syscalls sys;
    private final HostHandles handles;
    private final Collection<KnownFile> files;
    private Iterator<KnownFile> hand = Collections.emptyIterator();

    /// @param files a view of all of them, the root among them, that changes under way
    ClockHand(Syscalls sys, HostHandles handles, Collection<KnownFile> files) {
        this.sys = sys;
        this.handles = handles;
        this.files = files;
    }

    /// Has a file keep a [HostReference] instead of its descriptor.
    ///
    /// @return whether there was one that could
    synchronized boolean giveOneUp() {
        for (int i = 0; i < 2 * STEPS; i++) {
            if (!hand.hasNext()) {
                hand = files.iterator();
            }
            KnownFile file = hand.next();
            boolean spared = file.wasUsed() && i < STEPS;
            if (file.nodeid() != InodeTable.ROOT && !spared && giveUp(file)) {
                return true;
            }
        }
        return false;
    }

    /// A file that is open keeps its descriptor, and so does one without a name: nothing would find
    /// it again.
    private boolean giveUp(KnownFile file) {
        try (Inode inode = file.holdIfOpen()) {
            if (inode == null || inode.holders() > NOT_OPEN || file.reference() != null) {
                return false;
            }
            if (sys.statx(inode.fd(), Stat.STATX_NLINK).nlink() == 0) {
                return false;
            }
            file.keepReference(handles.refer(inode));
            return true;
        } catch (ErrnoException _) {
            return false; // its file system has no handles
        }
    }
}
