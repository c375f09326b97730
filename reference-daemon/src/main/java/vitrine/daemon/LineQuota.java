package vitrine.daemon;

import java.util.function.LongSupplier;

/// How many lines the log may still get: some at once, and then one now and then.
///
/// What goes into the log is often a guest's or a front end's doing, and either can do it as often
/// as it likes. Without a limit it would fill the host's disk.
final class LineQuota {

    /// So many lines may come together.
    static final int AT_ONCE = 200;

    /// One more line may come after so many nanoseconds.
    static final long EVERY = 1_000_000_000;

    private final LongSupplier clock;
    private long paidUntil; // by the clock: the lines so far, one after the other
    private long leftOut;

    /// @param clock in nanoseconds, like [System#nanoTime()]
    LineQuota(LongSupplier clock) {
        this.clock = clock;
        paidUntil = clock.getAsLong() - AT_ONCE * EVERY;
    }

    /// Whether there may be one more line; if not, it is counted as left out.
    synchronized boolean take() {
        long now = clock.getAsLong();
        paidUntil = Math.max(paidUntil, now - AT_ONCE * EVERY);
        if (paidUntil + EVERY > now) {
            leftOut++;
            return false;
        }
        paidUntil += EVERY;
        return true;
    }

    /// How many lines were left out since this was last asked.
    synchronized long leftOut() {
        long count = leftOut;
        leftOut = 0;
        return count;
    }
}
