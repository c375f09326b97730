package vitrine.dax;

import java.time.Duration;
import vitrine.posix.Timespec;

/// The clock that the host's kernel takes the times of files from. It ticks: every 1 to 10 ms, and
/// some file systems keep whole seconds. A file that is changed twice within a tick has the same
/// ctime after both.
///
/// So who wants to know by the ctime that nothing has changed since must have seen one whose tick
/// was over *before* the file was looked at: then each later change makes another.
///
/// The clock is the host's. If it is set back, a change can get the ctime of one long ago, to the
/// nanosecond; with whole seconds that is possible, else next to impossible.
final class Tick {

    /// Longer than that of any Linux (`CONFIG_HZ=100`: 10 ms).
    private static final Duration USUAL = Duration.ofMillis(20);

    /// For a file system that keeps whole seconds.
    private static final Duration LONG = Duration.ofMillis(1020);

    private Tick() {}

    /// Whether the tick that a time belongs to is over.
    static boolean isOver(Timespec time) {
        Duration tick = time.nanos() == 0 ? LONG : USUAL;
        long now = System.currentTimeMillis();
        return now - tick.toMillis() > time.seconds() * 1000 + time.nanos() / 1_000_000;
    }
}
