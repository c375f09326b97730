package vitrine.visualizer.timeline;

import java.util.Locale;
import java.util.OptionalInt;

/// Names of moments that hold when a scenario grows: `first-getxattr` rather than step 17.
///
/// | name | the moment just after |
/// |---|---|
/// | `start`, `end` | nothing, everything |
/// | `step-17` | that many events |
/// | `request-3`, `call-2` | the beginning of the third request, of the second system call |
/// | `first-WORD`, `last-WORD` | first or last event of that name: opcode, system call, signal |
/// | `WORD-3` | the third of that name |
public final class Anchors {

    private Anchors() {}

    /// The position that a name stands for in this run; empty if the run has no such moment.
    public static OptionalInt find(Run run, String anchor) {
        int dash = anchor.lastIndexOf('-');
        String ending = anchor.substring(dash + 1);
        if (anchor.equals("start") || anchor.isEmpty()) {
            return OptionalInt.of(0);
        }
        if (anchor.equals("end")) {
            return OptionalInt.of(run.size());
        }
        if (anchor.startsWith("first-")) {
            return occurrence(run, anchor.substring(6), 1);
        }
        if (anchor.startsWith("last-")) {
            return last(run, anchor.substring(5));
        }
        if (dash <= 0 || !ending.matches("[0-9]{1,9}")) {
            return occurrence(run, anchor, 1);
        }
        return numbered(run, anchor.substring(0, dash), Integer.parseInt(ending));
    }

    private static OptionalInt numbered(Run run, String word, int number) {
        return switch (word) {
            case "step" -> number <= run.size() ? OptionalInt.of(number) : OptionalInt.empty();
            case "request" ->
                Selection.story(run, "request-" + number).stream()
                        .mapToInt(story -> story.begin() + 1)
                        .findFirst();
            case "call" ->
                Selection.story(run, "call-" + number).stream()
                        .mapToInt(story -> story.begin() + 1)
                        .findFirst();
            default -> occurrence(run, word, number);
        };
    }

    private static OptionalInt occurrence(Run run, String word, int which) {
        int left = which;
        for (int n = 0; n < run.size(); n++) {
            if (isNamed(run, n, word) && --left == 0) {
                return OptionalInt.of(n + 1);
            }
        }
        return OptionalInt.empty();
    }

    private static OptionalInt last(Run run, String word) {
        for (int n = run.size() - 1; n >= 0; n--) {
            if (isNamed(run, n, word)) {
                return OptionalInt.of(n + 1);
            }
        }
        return OptionalInt.empty();
    }

    /// A request is named where the driver queues it, or where the daemon first hears of it.
    private static boolean isNamed(Run run, int n, String word) {
        return switch (run.kind(n)) {
            case GUEST_CALL_ENTERED, REQUEST_QUEUED, HOST_CALL, CONTROL_MESSAGE -> same(run.name(n), word);
            case REQUEST_DECODED ->
                same(run.name(n), word)
                        && run.stories()
                                .of(n)
                                .map(story -> story.queued() == Story.NEVER)
                                .orElse(true);
            case NOTIFIED -> same(run.columns().signal(n).name(), word);
            case GUEST_DECISION -> same("decision", word);
            default -> false;
        };
    }

    private static boolean same(String name, String word) {
        return name.replace('_', '-').toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT));
    }
}
