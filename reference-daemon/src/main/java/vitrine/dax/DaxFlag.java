package vitrine.dax;

import java.time.Duration;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Timespec;

/// Whether a file is marked for DAX on the host (`FS_XFLAG_DAX`), asked once and believed for as
/// long as nobody can have changed it.
///
/// The mark is no part of statx(2). To read it the file has to be opened, asked and closed: three
/// system calls, where LOOKUP has one of its own. Whoever changes it, though, moves the file's
/// ctime, and that comes with each LOOKUP. So the answer is kept together with the ctime, and is
/// good while the ctime is the same.
///
/// There is one trap. The host's kernel takes times from a clock that ticks: every 1 to 10 ms, and
/// some file systems keep whole seconds. A mark that is changed within the tick of the ctime leaves
/// it as it is. So an answer is kept only if the ctime was older than a tick *before* the file was
/// asked: then each change that the answer has not seen makes another ctime.
///
/// The clock is the host's. If it is set back, a change can get the ctime of one long ago, to the
/// nanosecond; with whole seconds that is possible, else next to impossible.
public final class DaxFlag {

    /// Longer than a tick of any Linux (`CONFIG_HZ=100`: 10 ms).
    private static final Duration TICK = Duration.ofMillis(20);

    /// For a file system that keeps whole seconds.
    private static final Duration LONG_TICK = Duration.ofMillis(1020);

    private volatile Answer known; // null: none that can be believed

    private record Answer(Timespec ctime, boolean marked) {}

    /// Asks the host.
    @FunctionalInterface
    public interface Question {
        /// Whether the file is marked.
        boolean ask() throws ErrnoException;
    }

    /// Whether the file is marked. A file that cannot be asked is not.
    ///
    /// @param ctime as statx(2) has just said
    public boolean isSet(Timespec ctime, Question question) {
        Answer answer = known;
        if (answer != null && answer.ctime.equals(ctime)) {
            return answer.marked;
        }
        boolean keeps = isOver(ctime); // before the file is asked, not after it
        try {
            boolean marked = question.ask();
            known = keeps ? new Answer(ctime, marked) : null;
            return marked;
        } catch (ErrnoException e) {
            boolean never = e.errno() == Errno.ENOTTY || e.errno() == Errno.EOPNOTSUPP; // no such marks there
            known = keeps && never ? new Answer(ctime, false) : null;
            return false;
        }
    }

    /// Whether the tick that the time belongs to is over.
    private static boolean isOver(Timespec ctime) {
        Duration tick = ctime.nanos() == 0 ? LONG_TICK : TICK;
        long now = System.currentTimeMillis();
        return now - tick.toMillis() > ctime.seconds() * 1000 + ctime.nanos() / 1_000_000;
    }
}
