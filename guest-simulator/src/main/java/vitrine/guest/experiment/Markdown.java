package vitrine.guest.experiment;

import java.util.ArrayList;
import java.util.List;

/// What was measured, as rows of a table in Markdown: the median, in brackets the worst and the
/// best, and how the best ones compare.
final class Markdown {

    private Markdown() {}

    /// A row for each setting but the first, against the first.
    ///
    /// @param where whose kernel, and which daemon
    static List<String> of(Experiment experiment, List<Row> rows, String where) {
        List<String> lines = new ArrayList<>();
        for (Row row : rows) {
            for (int i = 1; i < row.measured().size(); i++) {
                Row.Range before = row.measured().getFirst();
                Row.Range after = row.measured().get(i);
                String what = experiment.name() + ", " + row.name() + where(row) + ", "
                        + row.unit().text() + ": " + row.settings().getFirst() + ", "
                        + row.settings().get(i);
                double gain = row.unit().gain(row.best(before), row.best(after));
                lines.add("| " + what + " | " + where + " | " + figure(row, before) + " | " + figure(row, after)
                        + " | ×" + Table.number(gain) + " |");
            }
        }
        return lines;
    }

    /// A note that says on which file system.
    private static String where(Row row) {
        return row.notes().stream()
                .filter(note -> note.startsWith("on "))
                .findFirst()
                .map(note -> ", " + note)
                .orElse("");
    }

    private static String figure(Row row, Row.Range range) {
        return Table.number(range.median()) + " (" + Table.number(row.worst(range)) + "–"
                + Table.number(row.best(range)) + ")";
    }
}
