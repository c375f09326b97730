package vitrine.guest.compare;

import java.util.List;
import java.util.Locale;

/// The result as text: for each daemon the microseconds of a request, and how much that is of what
/// the first daemon takes.
final class ComparisonTable {

    private static final int NAME = 34;

    private final List<String> daemons;
    private final boolean details;

    /// @param daemons what they are called; the first is the measure of the others
    /// @param details whether sleeps, kicks and calls are shown as well
    ComparisonTable(List<String> daemons, boolean details) {
        this.daemons = daemons;
        this.details = details;
    }

    /// Two lines.
    String head() {
        StringBuilder names = new StringBuilder(" ".repeat(NAME));
        StringBuilder columns = new StringBuilder(" ".repeat(NAME));
        for (int i = 0; i < daemons.size(); i++) {
            String own = i == 0 ? "  CPU µs  time µs" : "  CPU µs            time µs       ";
            own += details ? "  sleeps  kicks  calls" : "";
            columns.append(own);
            names.append("  ").append(cut(daemons.get(i), own.length() - 2));
        }
        return names.toString().stripTrailing() + "\n" + columns.toString().stripTrailing();
    }

    /// A line.
    String row(String name, List<Sample> samples) {
        StringBuilder line = new StringBuilder(cut(name, NAME));
        Sample first = samples.getFirst();
        for (Sample sample : samples) {
            line.append(
                    sample == first
                            ? format("%8.1f %8.1f", sample.processor(), sample.time())
                            : format(
                                    "%8.1f ×%-7.2f %8.1f ×%-7.2f",
                                    sample.processor(),
                                    sample.processor() / first.processor(),
                                    sample.time(),
                                    sample.time() / first.time()));
            if (details) {
                line.append(format("  %6.2f %6.2f %6.2f", sample.sleeps(), sample.kicks(), sample.calls()));
            }
        }
        return line.toString().stripTrailing();
    }

    private static String cut(String text, int width) {
        return text.length() >= width ? text.substring(0, width - 1) + "…" : text + " ".repeat(width - text.length());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
