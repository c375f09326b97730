package vitrine.guest.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Results for a terminal: each figure with its label (`reported`, `model` or `measured`), and
/// bars.
final class Table {

    private static final int LABEL = 12;
    private static final int COLUMN = 22;
    private static final int BAR = 50;

    private final List<String> lines = new ArrayList<>();

    /// All lines of an experiment.
    static List<String> of(Experiment experiment, List<Row> rows) {
        Table table = new Table();
        table.lines.add(experiment.name() + ": " + experiment.title());
        for (Row row : rows) {
            table.lines.add("");
            table.add(row);
        }
        return table.lines;
    }

    private void add(Row row) {
        StringBuilder head = new StringBuilder(row.name());
        while (head.length() < LABEL) {
            head.append(' ');
        }
        lines.add(head + " (" + row.unit().text() + ")");
        lines.add(line("", row.settings()));
        if (!row.reported().isEmpty()) {
            lines.add(line("reported", figures(row.unit(), row.reported())));
        }
        if (!row.model().isEmpty()) {
            List<String> cells = figures(row.unit(), row.model());
            cells.set(0, (row.reported().isEmpty() ? "" : "fitted to ") + cells.getFirst());
            lines.add(line("model", cells));
        }
        if (!row.measured().isEmpty()) {
            lines.add(line("measured", ranges(row)));
        }
        addCounts(row);
        addBars(row);
        row.notes().forEach(note -> lines.add("  " + note));
        if (!row.holds()) {
            lines.add("  the direction is not the reported one");
        }
    }

    private static String line(String label, List<String> cells) {
        StringBuilder line = new StringBuilder("  " + pad(label, LABEL));
        cells.forEach(cell -> line.append(' ')
                .append(" ".repeat(Math.max(0, COLUMN - cell.length())))
                .append(cell));
        return line.toString();
    }

    private static String pad(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - text.length()));
    }

    /// Each with how many times as good it is as the first.
    private static List<String> figures(Row.Unit unit, List<Double> values) {
        List<String> cells = new ArrayList<>();
        for (double value : values) {
            String gain = cells.isEmpty() ? "" : format("  ×%.2f", unit.gain(values.getFirst(), value));
            cells.add(number(value) + gain);
        }
        return cells;
    }

    private static List<String> ranges(Row row) {
        List<String> cells = new ArrayList<>();
        double first = row.measured().getFirst().median();
        for (Row.Range range : row.measured()) {
            String gain = cells.isEmpty() ? "" : format("  ×%.2f", row.unit().gain(first, range.median()));
            cells.add(number(range.median()) + " (" + number(range.least()) + "–" + number(range.most()) + ")" + gain);
        }
        return cells;
    }

    private void addCounts(Row row) {
        for (int i = 0; i < row.counts().size(); i++) {
            Row.Counts counts = row.counts().get(i);
            lines.add("  " + pad(row.settings().get(i), LABEL) + " " + list(counts.requests()) + ": "
                    + list(counts.hostCalls()));
        }
    }

    private static String list(Map<String, Double> counts) {
        return counts.isEmpty()
                ? "–"
                : counts.entrySet().stream()
                        .map(count -> count.getKey() + times(count.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private static String times(double count) {
        double rounded = Math.rint(count * 100) / 100; // sums of shares
        return rounded == 1 ? "" : " " + format(rounded == Math.rint(rounded) ? "%.0f" : "%.2f", rounded);
    }

    private void addBars(Row row) {
        List<Double> values = shown(row);
        double most = values.stream().mapToDouble(value -> value).max().orElse(1);
        for (int i = 0; i < values.size(); i++) {
            int length = (int) Math.max(1, Math.round(BAR * values.get(i) / most));
            lines.add("  " + pad(row.settings().get(i), LABEL) + " " + "█".repeat(length));
        }
    }

    /// What a picture shows of a row: what was measured, else the model.
    static List<Double> shown(Row row) {
        return row.measured().isEmpty()
                ? row.model()
                : row.measured().stream().map(Row.Range::median).toList();
    }

    /// Three digits, as far as they say something.
    static String number(double value) {
        if (value >= 100) {
            return format("%.0f", value);
        }
        return format(value >= 10 ? "%.1f" : "%.2f", value);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
