package vitrine.session;

import java.util.function.BooleanSupplier;

/// Whether to look again for a moment before going to sleep.
///
/// To fall asleep and be woken takes two changes of thread and a system call here, and a kick from
/// the driver, which in a guest is an exit to the host. A request that comes sooner than that is
/// cheaper waited for awake. But who looks in vain takes the processor from the very guest that it
/// waits for. So the moment is no longer than what it may save, and there is none where looking has
/// been in vain more often than not.
final class Patience {

    /// How long to look, in nanoseconds: about the processor time that sleeping and waking take.
    static final long MOMENT = 3_000;

    /// How many looks in vain it takes to lose all patience, when it was greatest.
    static final int GREATEST = 8;

    /// Without any, every so many-th time is a try.
    static final int RETRY = 32;

    /// On one processor nobody else can be working while we look.
    private static final boolean USEFUL = Runtime.getRuntime().availableProcessors() > 1;

    private final long moment;
    private int patience = 1; // how many looks paid lately, less those in vain
    private int declined;

    /// @param moment how long to look, in nanoseconds; 0 to look just once
    Patience(long moment) {
        this.moment = USEFUL ? moment : 0;
    }

    /// Looks for work until it is there or the moment is over.
    ///
    /// @param somethingThere looks once; cheap
    /// @return whether there is work
    boolean lookAgain(BooleanSupplier somethingThere) {
        if (moment == 0 || patience == 0 && ++declined % RETRY != 0) {
            return somethingThere.getAsBoolean();
        }
        long start = System.nanoTime();
        do {
            if (somethingThere.getAsBoolean()) {
                patience = Math.min(patience + 1, GREATEST);
                return true;
            }
            Thread.onSpinWait();
        } while (System.nanoTime() - start < moment);
        patience = Math.max(patience - 1, 0);
        return false;
    }
}
