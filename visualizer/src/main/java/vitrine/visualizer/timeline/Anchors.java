package vitrine.visualizer.timeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// Names of moments that hold when a scenario grows: `first-getxattr` rather than step 17.
///
/// | name | the moment just after |
/// |---|---|
/// | `start`, `end` | nothing, everything |
/// | `step-17` | that many events |
/// | `request-3`, `call-2` | the beginning of the third request, of the second system call |
/// | `first-WORD`, `last-WORD` | first or last event of that name |
/// | `WORD-3` | the third of that name |
///
/// A WORD is a request or a system call of the guest, such as `write`; else a signal such as
/// `kick`, a message of vhost-user, or `decision`. What the daemon asked of the host is
/// `host-pwritev2`.
public final class Anchors {

    /// A moment that there is.
    ///
    /// @param note empty, or a sentence that it is not the one of this name but the nearest
    public record Found(int position, String note) {}

    private static final String HOST = "host-";

    private Anchors() {}

    /// The position that a name stands for in this run; empty if the run has no such moment.
    public static OptionalInt find(Run run, String anchor) {
        Optional<Found> nearest = nearest(run, anchor);
        return nearest.isPresent() && nearest.get().note().isEmpty()
                ? OptionalInt.of(nearest.get().position())
                : OptionalInt.empty();
    }

    /// The same, or the nearest if the run is shorter than whoever wrote the name knew it; empty if
    /// there is nothing of that name at all.
    public static Optional<Found> nearest(Run run, String anchor) {
        int dash = anchor.lastIndexOf('-');
        String ending = anchor.substring(dash + 1);
        if (anchor.equals("start") || anchor.isEmpty()) {
            return Optional.of(new Found(0, ""));
        }
        if (anchor.equals("end")) {
            return Optional.of(new Found(run.size(), ""));
        }
        if (anchor.startsWith("first-")) {
            return occurrence(run, anchor, anchor.substring(6), 1);
        }
        if (anchor.startsWith("last-")) {
            OptionalInt last = named(run, anchor.substring(5)).reduce((_, later) -> later);
            return last.isPresent() ? Optional.of(new Found(last.getAsInt() + 1, "")) : Optional.empty();
        }
        if (dash <= 0 || !ending.matches("[0-9]{1,9}")) {
            return occurrence(run, anchor, anchor, 1);
        }
        return numbered(run, anchor, anchor.substring(0, dash), Integer.parseInt(ending));
    }

    private static Optional<Found> numbered(Run run, String anchor, String word, int number) {
        return switch (word) {
            case "step" ->
                number <= run.size()
                        ? Optional.of(new Found(number, ""))
                        : Optional.of(new Found(run.size(), instead(anchor, "its end")));
            case "request", "call" -> story(run, anchor, word, number);
            default -> occurrence(run, anchor, word, number);
        };
    }

    private static Optional<Found> story(Run run, String anchor, String word, int number) {
        Optional<Story> exact = Selection.story(run, anchor);
        if (exact.isPresent() || run.stories().size() == 0) {
            return exact.map(story -> new Found(story.begin() + 1, ""));
        }
        boolean byCall = word.equals("call");
        List<Story> all = run.stories().all();
        return all.reversed().stream()
                .filter(story -> byCall ? story.call() != 0 && story.call() <= number : story.number() < number)
                .findFirst()
                .map(story -> new Found(
                        story.begin() + 1, instead(anchor, word + "-" + (byCall ? story.call() : story.number() + 1))));
    }

    private static Optional<Found> occurrence(Run run, String anchor, String word, int which) {
        int[] first = named(run, word).limit(Math.max(1, which)).toArray();
        if (first.length == 0) {
            return Optional.empty();
        }
        int position = first[first.length - 1] + 1;
        boolean exact = first.length == which;
        return Optional.of(new Found(position, exact ? "" : instead(anchor, word + "-" + first.length)));
    }

    private static String instead(String anchor, String other) {
        return "This run has no moment '" + anchor + "'; this is " + other + ", the nearest.";
    }

    private static IntStream named(Run run, String word) {
        boolean host = word.startsWith(HOST);
        return IntStream.range(0, run.size())
                .filter(n -> host == (run.kind(n) == Kind.HOST_CALL) && same(name(run, n), word));
    }

    /// The names that there are, in the order in which they come first, and how often each comes.
    public static Map<String, Integer> words(Run run) {
        Map<String, Integer> words = new LinkedHashMap<>();
        for (int n = 0; n < run.size(); n++) {
            String name = name(run, n);
            if (!name.isEmpty()) {
                words.merge(plain(name), 1, Integer::sum);
            }
        }
        return words;
    }

    /// What an event is called: a request where the driver queues it, or where the daemon first
    /// hears of it.
    private static String name(Run run, int n) {
        return switch (run.kind(n)) {
            case GUEST_CALL_ENTERED, REQUEST_QUEUED, CONTROL_MESSAGE -> run.name(n);
            case HOST_CALL -> HOST + run.name(n);
            case REQUEST_DECODED -> isFirstHeardOf(run, n) ? run.name(n) : "";
            case NOTIFIED -> run.columns().signal(n).name();
            case GUEST_DECISION -> "decision";
            default -> "";
        };
    }

    private static boolean isFirstHeardOf(Run run, int n) {
        return run.stories().of(n).map(story -> story.queued() == Story.NEVER).orElse(true);
    }

    private static boolean same(String name, String word) {
        return name.length() == word.length() && plain(name).equals(plain(word));
    }

    private static String plain(String name) {
        return name.replace('_', '-').toLowerCase(Locale.ROOT);
    }
}
