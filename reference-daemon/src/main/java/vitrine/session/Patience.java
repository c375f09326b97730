package vitrine.session;

import java.util.function.BooleanSupplier;

/// How long to look again before going to sleep.
///
/// Waking a sleeping thread takes 10 to 15 µs, longer than most requests; two threads that both
/// look hand over in under 2 µs. But a thread that looks in vain takes the CPU from the very guest
/// it waits for. So the patience is bounded, grows while looking pays, and shrinks to nothing while
/// it does not.
final class Patience {

    /// The longest time to look for the next request, in nanoseconds: no longer than sleeping and
    /// waking would take, so that looking never costs much more than what it saves.
    static final long LONGEST = 20_000;

    /// What to begin with again after the patience was lost.
    static final long SHORTEST = 3_000;

    /// While there is no patience, every so many-th time is a try.
    static final int RETRY = 32;

    /// On one CPU nobody else can be working while we look.
    private static final boolean USEFUL = Runtime.getRuntime().availableProcessors() > 1;

    private final long longest;
    private long patience = SHORTEST; // ns; 0: looking has not paid lately
    private int declined;

    /// @param longest the longest time to look, in nanoseconds; 0 to look just once
    Patience(long longest) {
        this.longest = longest;
    }

    /// Looks for work until it is there or the patience ends.
    ///
    /// @param somethingThere looks once; cheap
    /// @return whether there is work
    boolean lookAgain(BooleanSupplier somethingThere) {
        if (!USEFUL || longest == 0 || patience == 0 && ++declined % RETRY != 0) {
            return somethingThere.getAsBoolean();
        }
        long budget = Math.max(patience, SHORTEST);
        long start = System.nanoTime();
        do {
            if (somethingThere.getAsBoolean()) {
                patience = Math.min(longest, budget * 2);
                return true;
            }
            Thread.onSpinWait();
        } while (System.nanoTime() - start < budget);
        patience = budget / 2 < SHORTEST ? 0 : budget / 2;
        return false;
    }
}
