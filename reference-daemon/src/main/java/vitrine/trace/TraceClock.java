package vitrine.trace;

/// What time it is, for the stamps of one trace.
///
/// All events of a trace take their time from one clock, so that they can be put in order.
@FunctionalInterface
public interface TraceClock {

    /// Now, in nanoseconds.
    long nanos();

    /// Nanoseconds since 1970 that never run backwards.
    ///
    /// `System.currentTimeMillis` may jump when the host's clock is set; `System.nanoTime` may not,
    /// but has no date. The date is asked for once, here, and the rest is counted.
    static TraceClock wall() {
        long origin = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
        return () -> origin + System.nanoTime();
    }
}
