package vitrine.visualizer.command;

import java.io.PrintWriter;
import java.util.Map;
import vitrine.visualizer.timeline.Run;

/// The moments of a run that a link can name, as a list.
public final class AnchorList {

    private AnchorList() {}

    /// Prints it.
    public static void print(Run run, PrintWriter out) {
        Map<String, Integer> words = run.anchors();
        out.println("start, end, step-1 to step-" + run.size() + ", request-1 to request-"
                + run.stories().size() + calls(run) + ";");
        out.println("first-WORD, last-WORD or WORD-2 for each of these:");
        out.println();
        out.println("%-28s %s".formatted("WORD", "times"));
        words.forEach((word, count) -> out.println("%-28s %5d".formatted(word, count)));
        out.flush();
    }

    private static String calls(Run run) {
        int calls = run.guestCalls();
        return calls == 0 ? "" : ", call-1 to call-" + calls;
    }
}
