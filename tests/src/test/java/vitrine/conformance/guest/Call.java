package vitrine.conformance.guest;

import java.util.Arrays;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// One call of a history.
///
/// @param who which of the programs makes it
/// @param text the call, for a person who reads the history
/// @param how the call, for a program
record Call(int who, String text, How how) {

    /// Makes a call and answers what came out.
    interface How {
        Object by(Program program) throws ErrnoException;
    }

    /// A call that answers nothing.
    interface Silently {
        void by(Program program) throws ErrnoException;
    }

    static Call of(int who, String text, How how) {
        return new Call(who, text, how);
    }

    static Call silent(int who, String text, Silently how) {
        return new Call(who, text, program -> {
            how.by(program);
            return "done";
        });
    }

    /// The result or the errno, so that two of them can be compared and read.
    String outcome(Program program) {
        try {
            return switch (how.by(program)) {
                case byte[] bytes -> bytes.length + " bytes, hash " + Arrays.hashCode(bytes);
                case Object other -> other.toString();
            };
        } catch (ErrnoException e) {
            return Errno.name(e.errno());
        }
    }

    @Override
    public String toString() {
        return (who == Twins.ROOT ? "root: " : "user: ") + text;
    }
}
