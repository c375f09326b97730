package vitrine.guest.kernel.dax;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.driver.DaxWindow;
import vitrine.guest.kernel.dax.FileRanges.Range;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.kernel.rule.WindowUse;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// The window, cut into slots of 2 MiB, and who has them.
///
/// Slots that become free go to the end of the line. When few are left, the worker takes some from
/// whoever has had them for longest. In Linux it is a thread; here it gets its turn at the end of
/// the access that woke it, or as soon as somebody has to wait for it, so that a history has one
/// course only.
///
/// Safe for several threads. One lock for all is held while a mapping is asked for, where Linux has
/// one for each file; not while data is copied.
final class WindowRanges {

    /// What Linux maps at a time (`FUSE_DAX_SZ`).
    static final long RANGE = 2L << 20;

    private static final int MOST_OF_A_TURN = 10; // FUSE_DAX_RECLAIM_CHUNK
    private static final int MOST_OF_A_REQUEST = 256; // a page full

    private final DaxWindow window;
    private final Requests requests;
    private final Decisions decisions;
    private final Deque<Long> free = new ArrayDeque<>();
    private final Set<Range> busy = new LinkedHashSet<>(); // the oldest first
    private final int slots;
    private boolean workerIsAwake;

    /// What is asked of the server.
    interface Requests {
        /// SETUPMAPPING.
        void setUp(Range range, boolean write) throws ErrnoException;

        /// REMOVEMAPPING.
        void remove(FileRanges file, List<Range> ranges) throws ErrnoException;
    }

    /// An access to a part of one range.
    interface Copy<T> {
        /// @param offset where the part is in the window
        T at(long offset) throws BusErrorException;
    }

    WindowRanges(DaxWindow window, Requests requests, Decisions decisions) {
        this.window = window;
        this.requests = requests;
        this.decisions = decisions;
        for (long slot = 0; slot + RANGE <= window.size(); slot += RANGE) {
            free.add(slot);
        }
        this.slots = free.size();
    }

    /// How a range is accessed.
    ///
    /// @param write whether to store
    /// @param pageFault whether a program's own load or store is behind it
    record Access(boolean write, boolean pageFault) {}

    /// Accesses bytes of a file that lie in one range.
    ///
    /// @param offset in the file
    <T> T access(FileRanges file, long offset, Access how, Copy<T> copy) throws ErrnoException, BusErrorException {
        Range range = begin(file, offset / RANGE, how);
        try {
            return copy.at(range.slot + offset % RANGE);
        } finally {
            end(range);
        }
    }

    /// The guest does not know the file any more.
    synchronized void evict(FileRanges file) {
        List<Range> all = file.backwards();
        for (int from = 0; from < all.size(); from += MOST_OF_A_REQUEST) {
            reclaim(file, all.subList(from, Math.min(all.size(), from + MOST_OF_A_REQUEST)));
        }
    }

    /// The worker's turn, if somebody woke it.
    synchronized void turnOfTheWorker() {
        while (workerIsAwake && takeFromTheOldest()) {
            workerIsAwake = isWorkerDue();
        }
        workerIsAwake = false;
    }

    /// How many slots are taken.
    synchronized int busy() {
        return busy.size();
    }

    private synchronized Range begin(FileRanges file, long number, Access how) throws ErrnoException {
        while (true) {
            Range there = file.at(number);
            var access = new WindowUse.Access(there != null, there != null && there.writable, how.write);
            Range range = switch (decisions.by(access)) {
                case NOTHING -> there;
                case LEAVE_TO_WRITE -> mayBeWritten(there);
                case A_SLOT -> setUp(file, number, how);
            };
            if (range != null) {
                range.users++;
                return range;
            }
        }
    }

    private synchronized void end(Range range) {
        range.users--;
        notifyAll();
    }

    private Range mayBeWritten(Range range) throws ErrnoException {
        requests.setUp(range, true);
        range.writable = true;
        return range;
    }

    /// @return null if the access had to wait for a slot, and is to look again
    private Range setUp(FileRanges file, long number, Access how) throws ErrnoException {
        Range idle = file.firstIdle();
        switch (decisions.by(new WindowUse.SlotFrom(free.size(), idle != null, how.pageFault))) {
            case FREE_LIST -> {}
            case SAME_FILE -> reclaim(file, List.of(idle));
            case WORKER -> {
                awaitWorker();
                return null;
            }
        }
        Range range = new Range(file, number, free.remove(), how.write);
        workerIsAwake |= isWorkerDue();
        try {
            requests.setUp(range, how.write);
        } catch (ErrnoException e) {
            free.add(range.slot);
            throw e;
        }
        file.add(range);
        busy.add(range);
        return range;
    }

    private boolean isWorkerDue() {
        return decisions.by(new WindowUse.WorkerIsDue(free.size(), slots));
    }

    /// Waits until there is a free slot, or until somebody is done with one.
    private void awaitWorker() throws ErrnoException {
        if (!takeFromTheOldest()) {
            try {
                wait();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new ErrnoException("waiting for a part of the window", Errno.EINTR);
            }
        }
    }

    private boolean takeFromTheOldest() {
        List<Range> oldest = busy.stream()
                .filter(range -> range.users == 0)
                .limit(MOST_OF_A_TURN)
                .toList();
        oldest.forEach(range -> reclaim(range.file, List.of(range)));
        return !oldest.isEmpty();
    }

    /// Linux has no use for the answer: the slot is free as far as it is concerned.
    private void reclaim(FileRanges file, List<Range> ranges) {
        ranges.forEach(file::remove);
        try {
            requests.remove(file, ranges);
        } catch (ErrnoException e) {
            decisions.decided("dax: REMOVEMAPPING failed", e.getMessage(), "nothing");
        }
        ranges.forEach(range -> {
            busy.remove(range);
            free.add(range.slot);
        });
        notifyAll();
    }
}
