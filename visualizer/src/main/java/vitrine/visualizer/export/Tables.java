package vitrine.visualizer.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Costs;
import vitrine.visualizer.timeline.Difference;
import vitrine.visualizer.timeline.Difference.Row;
import vitrine.visualizer.timeline.Difference.Verdict;
import vitrine.visualizer.timeline.Digest;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Two runs side by side, as lines of text.
public final class Tables {

    private final Run first;
    private final Run second;
    private final Difference difference;

    private Tables(Run first, Run second) {
        this.first = first;
        this.second = second;
        this.difference = Difference.of(first, second);
    }

    /// A table in Markdown: what both asked, and what it took.
    public static List<String> markdown(Run first, Run second) {
        Tables tables = new Tables(first, second);
        List<String> lines = new ArrayList<>();
        lines.add("| call | A: " + name(first) + " | | B: " + name(second) + " |");
        lines.add("|---:|---|:---:|---|");
        for (Row row : tables.difference.rows()) {
            lines.add("| " + row.call() + " | " + cell(tables.left(row)) + " | "
                    + row.verdict().sign() + " | " + cell(tables.right(row)) + " |");
        }
        lines.add("");
        lines.add("| | A | B | A / B |");
        lines.add("|---|---:|---:|---:|");
        Costs a = Costs.ofAll(first);
        Costs b = Costs.ofAll(second);
        lines.add(counts("system calls", first.guestCalls(), second.guestCalls()));
        lines.add(counts("requests", a.requests(), b.requests()));
        lines.add(tables.kicks(a, b));
        lines.add(counts("calls", a.calls(), b.calls()));
        lines.add(counts("host system calls", a.hostCalls(), b.hostCalls()));
        String time = first.about().getOrDefault("time", "measured") + " time";
        lines.add("| " + time + " | " + Wording.time(a.total()) + " | " + Wording.time(b.total()) + " | "
                + ratio(a.total(), b.total()) + " |");
        return lines;
    }

    /// The same for a terminal.
    ///
    /// @param width columns of the page
    public static List<String> plain(Run first, Run second, int width) {
        Tables tables = new Tables(first, second);
        int half = (width - 6) / 2;
        List<String> lines = new ArrayList<>();
        lines.add(pad("A  " + name(first), half) + "      B  " + name(second));
        for (Row row : tables.difference.rows()) {
            String line = pad(tables.left(row), half) + "  " + pad(row.verdict().sign(), 2) + "  "
                    + pad(tables.right(row), half);
            lines.add(line.stripTrailing());
        }
        lines.add("");
        lines.add(tables.summary());
        return lines;
    }

    private String summary() {
        String onlyA = difference.onlyIn(Verdict.ONLY_FIRST);
        String onlyB = difference.onlyIn(Verdict.ONLY_SECOND);
        return "only in A: " + (onlyA.isEmpty() ? "nothing" : onlyA) + "; only in B: "
                + (onlyB.isEmpty() ? "nothing" : onlyB) + "; the same: " + difference.count(Verdict.SAME)
                + "; changed: " + difference.count(Verdict.CHANGED);
    }

    private String left(Row row) {
        return Digest.beside(digest(first, row.first(), row), digest(second, row.second(), row));
    }

    private String right(Row row) {
        return Digest.beside(digest(second, row.second(), row), digest(first, row.first(), row));
    }

    private static String digest(Run run, Optional<Story> story, Row row) {
        return story.map(request -> Wording.compared(run, request, row.verdict()))
                .orElse("");
    }

    private static String name(Run run) {
        return run.about().getOrDefault("scenario", "capture");
    }

    private static String counts(String what, int a, int b) {
        return "| " + what + " | " + a + " | " + b + " | " + ratio(a, b) + " |";
    }

    private String kicks(Costs a, Costs b) {
        return first.isOfADaemon() || second.isOfADaemon()
                ? "| kicks | " + Wording.kicks(first) + " | " + Wording.kicks(second) + " | - |"
                : counts("kicks", a.kicks(), b.kicks());
    }

    private static String ratio(long a, long b) {
        return b == 0 ? "-" : String.format(Locale.ROOT, "%.2f", (double) a / b);
    }

    private static String cell(String text) {
        return text.isEmpty() ? "" : "`" + text.replace("`", "'").replace("|", "\\|") + "`";
    }

    private static String pad(String text, int width) {
        return text.length() > width
                ? text.substring(0, Math.max(0, width - 3)) + "..."
                : text + " ".repeat(width - text.length());
    }
}
