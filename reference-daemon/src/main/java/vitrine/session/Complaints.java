package vitrine.session;

import java.util.concurrent.atomic.AtomicLong;

/// What a guest does wrong, told to the log ever more rarely: the 1st time, the 2nd, the 4th, the
/// 8th …
///
/// A guest can send broken requests as fast as the device returns them, and a line for each would
/// fill the host's disk. Safe for several queues at once.
final class Complaints {

    private static final System.Logger LOG = System.getLogger("vitrine.session");

    private final AtomicLong soFar = new AtomicLong();

    /// One more thing that went wrong.
    ///
    /// @param what a sentence for the log
    void add(String what) {
        add(what, null);
    }

    /// The same, and how it came about.
    ///
    /// @param thrown logged with its stack; null if it is the guest's doing
    void add(String what, Throwable thrown) {
        long number = soFar.incrementAndGet();
        if (Long.bitCount(number) > 1) {
            return;
        }
        String text = number == 1 ? what : what + " (number " + number + " of what went wrong so far)";
        if (thrown == null) {
            LOG.log(System.Logger.Level.WARNING, text);
        } else {
            LOG.log(System.Logger.Level.ERROR, text, thrown);
        }
    }
}
