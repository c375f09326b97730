package vitrine.guest.driver;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/// The part of guest memory that the driver hands out: where request headers, arguments and file
/// data lie while the device has them.
///
/// Whole pages, so that no two requests share one. Safe for several threads.
public final class GuestPages {

    /// Bytes of a page.
    public static final int PAGE = 4096;

    private final long guestAddress;
    private final MemorySegment memory;
    private final BitSet taken = new BitSet();
    private final int pages;
    private final int gap;
    private int lookFrom; // where the last search ended: most often the next pages are free

    /// A run of pages that somebody has.
    ///
    /// @param guestAddress where the device finds it
    /// @param memory the same bytes for us
    public record Run(long guestAddress, MemorySegment memory) {

        /// The first `length` bytes, as a descriptor names them.
        public GuestRange range(long length) {
            return new GuestRange(guestAddress, length);
        }
    }

    /// @param guestAddress where the piece starts for the device
    /// @param memory the same piece for us; what is behind its last whole page is not used
    /// @param scattered whether a page is left out behind each run, as long as there are others
    public GuestPages(long guestAddress, MemorySegment memory, boolean scattered) {
        this.guestAddress = guestAddress;
        this.memory = memory;
        this.pages = Math.toIntExact(memory.byteSize() / PAGE);
        this.gap = scattered ? 1 : 0;
    }

    /// Takes pages that lie side by side.
    ///
    /// @param bytes at least so many, at least one page
    /// @throws OutOfGuestMemoryException if there is no such run
    public synchronized Run take(long bytes) {
        int wanted = Math.max(1, Math.toIntExact((bytes + PAGE - 1) / PAGE));
        int first = find(wanted, lookFrom, pages);
        if (first < 0) {
            first = find(wanted, 0, pages);
        }
        if (first < 0) {
            throw new OutOfGuestMemoryException(bytes, (long) (pages - taken.cardinality()) * PAGE);
        }
        taken.set(first, first + wanted);
        lookFrom = first + wanted + gap;
        long offset = (long) first * PAGE;
        return new Run(guestAddress + offset, memory.asSlice(offset, (long) wanted * PAGE));
    }

    /// Gives a run back.
    public synchronized void giveBack(Run run) {
        int first = Math.toIntExact((run.guestAddress() - guestAddress) / PAGE);
        taken.clear(first, first + Math.toIntExact(run.memory().byteSize() / PAGE));
    }

    /// How many pages somebody has.
    public synchronized int inUse() {
        return taken.cardinality();
    }

    private int find(int wanted, int from, int end) {
        int first = taken.nextClearBit(from);
        while (first + wanted <= end) {
            int obstacle = taken.nextSetBit(first);
            if (obstacle < 0 || obstacle - first >= wanted) {
                return first;
            }
            first = taken.nextClearBit(obstacle);
        }
        return -1;
    }
}
