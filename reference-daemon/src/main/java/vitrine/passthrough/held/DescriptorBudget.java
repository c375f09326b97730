package vitrine.passthrough.held;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// How many descriptors the guest holds, and how many it may.
///
/// A guest can look up and open files without end. What it holds past the budget is not taken away,
/// but nothing is added: the rest is for the daemon's own use, so that each request about what is
/// there can be served, and the rings.
public final class DescriptorBudget {

    private final long most;
    private final AtomicLong held = new AtomicLong();
    private final AtomicBoolean warned = new AtomicBoolean(); // once: a guest could fill the disk

    private ClockHand clock; // null: no descriptor comes back but by FORGET and RELEASE

    /// @param most how many the guest may hold, but for those of requests under way
    public DescriptorBudget(long most) {
        this.most = most;
    }

    /// One more descriptor is held for the guest.
    void opened() {
        held.incrementAndGet();
    }

    /// One of them is closed.
    void closed() {
        held.decrementAndGet();
    }

    /// From now on, files that are only known give descriptors up when they are short.
    void reclaimBy(ClockHand hand) {
        clock = hand;
    }

    /// Makes sure that the guest may hold one more.
    ///
    /// @throws ErrnoException `ENFILE` if it may not
    public void requireRoom() throws ErrnoException {
        while (held.get() >= most) {
            if (clock == null || !clock.giveOneUp()) {
                throw spent();
            }
        }
    }

    private ErrnoException spent() {
        if (warned.compareAndSet(false, true)) {
            System.getLogger("vitrine.passthrough")
                    .log(
                            System.Logger.Level.WARNING,
                            "the guest holds {0} descriptors and may hold no more: until it gives some back,"
                                    + " nothing new can be looked up or opened",
                            Long.toString(held.get()));
        }
        return new ErrnoException(held.get() + " descriptors", Errno.ENFILE);
    }
}
