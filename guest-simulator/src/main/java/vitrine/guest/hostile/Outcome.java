package vitrine.guest.hostile;

import java.util.Iterator;
import java.util.TreeSet;
import java.util.stream.Stream;
import vitrine.posix.Errno;

/// What came of a lie.
///
/// @param kind whether the guest that lied, or the next one, can go on
/// @param text the same in a few words
public record Outcome(Kind kind, String text) {

    /// What an outcome means to all who did not lie.
    public enum Kind {
        /// The daemon goes on, and so does the session.
        FINE,
        /// This queue has stopped, which the front end was told; all others go on.
        STOPPED,
        /// The daemon is there, and this session can ask for nothing any more.
        SPOILT,
        /// The daemon is there, and answers nothing any more.
        SILENT,
        /// The daemon is gone, and with it the file system of an honest guest's other processes.
        ENDED,
        /// Nothing was said: nobody listens any more.
        UNTRIED
    }

    private static final int MOST_TEXTS = 2;

    /// The chain was given back with nothing written.
    static final String EMPTY = "comes back empty";

    /// The request was answered, and not with an error.
    static final String ANSWERED = "answered";

    /// The request was answered with an error, whichever.
    static final String REFUSED = "an errno";

    /// The queue is given up (vhost-user: "SET_VRING_ERR").
    static final String STOPS = "its queue stops";

    /// Several requests were answered, and none of them harmed anybody.
    static final String VARIOUS = "various answers";

    /// Whatever became of a message, the one behind it has its answer.
    static final String NEXT = "the next is answered";

    /// Whatever became of the requests, their chains came back.
    static final String ALL_BACK = "all come back";

    static final Outcome STOPPED = new Outcome(Kind.STOPPED, STOPS);
    static final Outcome SILENT = new Outcome(Kind.SILENT, "silent for ever");
    static final Outcome UNTRIED = new Outcome(Kind.UNTRIED, "not tried");

    static Outcome of(Returned returned) {
        try {
            return new Outcome(Kind.FINE, returned.isEmpty() ? EMPTY : text(returned.errno()));
        } catch (IllegalStateException e) {
            return new Outcome(Kind.SPOILT, "a broken reply: " + e.getMessage());
        }
    }

    private static String text(int errno) {
        return errno == 0 ? ANSWERED : Errno.name(errno);
    }

    static Outcome fine(String how) {
        return new Outcome(Kind.FINE, how);
    }

    static Outcome spoilt(String how) {
        return new Outcome(Kind.SPOILT, "the session is lost: " + how);
    }

    /// @param status of the process; the JDK reports a signal as 128 + its number
    static Outcome ended(int status) {
        return new Outcome(
                Kind.ENDED, status > 128 ? "killed by signal " + (status - 128) : "ended, exit code " + status);
    }

    /// The same, whatever the errno.
    Outcome orAnyErrno() {
        return kind == Kind.FINE && !text.equals(EMPTY) && !text.equals(ANSWERED) ? fine(REFUSED) : this;
    }

    /// The first that is not fine, after which no more are waited for; or what all of them are.
    static Outcome ofAll(Stream<Outcome> outcomes) {
        TreeSet<String> texts = new TreeSet<>();
        for (Iterator<Outcome> each = outcomes.iterator(); each.hasNext(); ) {
            Outcome outcome = each.next();
            if (outcome.kind != Kind.FINE) {
                return outcome;
            }
            texts.add(outcome.text);
        }
        return new Outcome(Kind.FINE, texts.size() > MOST_TEXTS ? VARIOUS : String.join(", ", texts));
    }

    /// Whether somebody is harmed who did not lie.
    public boolean isHarm() {
        return kind == Kind.SPOILT || kind == Kind.SILENT || kind == Kind.ENDED;
    }

    @Override
    public String toString() {
        return text;
    }
}
