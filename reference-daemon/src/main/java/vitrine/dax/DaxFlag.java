package vitrine.dax;

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
/// There is one trap, the [Tick]: a mark that is changed within that of the ctime leaves it as it
/// is. So an answer is kept only if the tick was over before the file was asked.
public final class DaxFlag {

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
        boolean keeps = Tick.isOver(ctime); // before the file is asked, not after it
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
}
