package vitrine.visualizer.view;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import vitrine.trace.TraceEvent.GuestDecision;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.sheet.Ink;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.Wording;

/// A [RuleTable] on paper: the inputs across, what they were, and a line for each outcome. The line
/// that was taken has an arrow and a frame; in the others, what speaks against them is in a box.
///
/// @param isFuture whether the decision has not been made yet
record RulePicture(String rule, RuleTable table, boolean isFuture, int scroll) {

    private static final double ROW = 22;
    private static final double LEADING = 14;
    private static final double TITLE = 26;
    private static final double ARROW = 18;
    private static final double OUTCOME = 0.24; // of the width
    private static final double LEAST = 72; // of a column, if there is room
    private static final double WIDEST = 900;
    private static final double WIDEST_OUTCOME = 240;

    static RulePicture of(Subject subject, int n, GuestDecision decision) {
        boolean future = n >= subject.session().position();
        return new RulePicture(
                decision.rule(),
                RuleTable.of(decision),
                future,
                subject.manner().scroll());
    }

    private double outcome(double width) {
        return Math.clamp(OUTCOME * width, 110, WIDEST_OUTCOME);
    }

    /// Where each column begins, and where the last one ends: each as wide as what stands in it, or
    /// as its share of the room where there is not enough.
    private double[] columns(double width, Painter painter) {
        double[] wide = new double[table.inputs().size()];
        for (int i = 0; i < wide.length; i++) {
            int input = i;
            wide[i] = Stream.concat(
                            Stream.of(table.now().get(i)),
                            table.lines().stream().map(line -> condition(line, input)))
                    .mapToDouble(text -> painter.width(text, Look.CODE.heavy()) + 20)
                    .reduce(Math.max(LEAST, painter.width(input(i), Look.SMALL) + 20), Math::max);
        }
        double room = width - ARROW - outcome(width);
        double squeeze = Math.min(1, room / Math.max(1, Arrays.stream(wide).sum()));
        double[] at = new double[wide.length + 1];
        for (int i = 0; i < wide.length; i++) {
            at[i + 1] = at[i] + wide[i] * squeeze;
        }
        return at;
    }

    private static String condition(RuleTable.Line line, int input) {
        List<String> values = line.conditions().get(input);
        return values.isEmpty() ? "-" : String.join(" or ", values);
    }

    private String input(int i) {
        return Wording.input(table.inputs().get(i));
    }

    private Box cell(Box row, double[] columns, int input) {
        return row.rightOf(ARROW + columns[input]).left(columns[input + 1] - columns[input] - 8);
    }

    private int headingLines(double[] columns) {
        return IntStream.range(0, table.inputs().size())
                .map(i -> Lettering.lines(input(i), Look.SMALL, columns[i + 1] - columns[i] - 8)
                        .size())
                .max()
                .orElse(1);
    }

    /// How high all of it is.
    double height(double width, Painter painter) {
        return TITLE
                + headingLines(columns(width, painter)) * LEADING
                + 6
                + (table.lines().size() + 1) * ROW;
    }

    void paint(Box room, Painter painter) {
        double[] columns = columns(Math.min(room.width(), WIDEST), painter);
        Box box = room.left(Math.min(WIDEST, ARROW + columns[columns.length - 1] + outcome(room.width())));
        Lettering.in(room.top(TITLE - 4), rule, Look.TITLE, Token.TEXT, painter);
        double heading = headingLines(columns) * LEADING + 6;
        for (int i = 0; i < table.inputs().size(); i++) {
            Box head = cell(box.below(TITLE), columns, i);
            double y = head.y();
            for (String line : Lettering.lines(input(i), Look.SMALL, head.width())) {
                Lettering.in(new Box(head.x(), y, head.width(), LEADING), line, Look.SMALL, Token.MUTED, painter);
                y += LEADING;
            }
        }
        Box body = box.below(TITLE + heading);
        now(body.top(ROW - 2), columns, painter);
        painter.line(body.x(), body.y() + ROW - 2, body.right(), body.y() + ROW - 2, Pen.of(Token.RULE, 1));
        Box rest = body.below(ROW);
        Rows rows = Rows.of(table.lines().size(), Rows.room(rest.height(), ROW), Math.max(0, table.taken()), scroll);
        for (int i = rows.first(); i < rows.end(); i++) {
            line(i, rest.below((i - rows.first()) * ROW).top(ROW - 2), columns, painter);
        }
        rows.say("lines", rest.below(rows.shown() * ROW).top(ROW), painter);
    }

    /// What the inputs were.
    private void now(Box row, double[] columns, Painter painter) {
        String says = "The inputs: "
                + String.join(
                        ", ",
                        IntStream.range(0, table.inputs().size())
                                .mapToObj(i -> input(i) + " "
                                        + (table.now().get(i).isEmpty()
                                                ? "not told"
                                                : table.now().get(i)))
                                .toList())
                + ".";
        painter.part(new Part("rule-inputs", says, row), () -> {
            for (int i = 0; i < table.inputs().size(); i++) {
                String value = table.now().get(i).isEmpty() ? "?" : table.now().get(i);
                Box cell = cell(row, columns, i);
                Lettering.in(cell, value, Look.CODE.heavy(), isFuture ? Token.FAINT : Token.TEXT, painter);
            }
            Box cell = row.rightOf(row.width() - outcome(row.width()));
            Lettering.in(cell, "inputs in this run", Look.SMALL, Token.MUTED, painter);
        });
    }

    private void line(int number, Box row, double[] columns, Painter painter) {
        RuleTable.Line line = table.lines().get(number);
        boolean taken = number == table.taken();
        Token ink = isFuture ? Token.FAINT : taken ? Token.TEXT : Token.MUTED;
        painter.part(new Part("rule-line-" + number, says(line, taken), row), () -> {
            if (taken) {
                painter.rect(row, Fill.of(Token.PANEL).edged(Token.ACCENT, 2).rounded(3));
                painter.arrowHead(row.x() + 13, row.middleY(), 0, 9, Token.ACCENT);
            }
            for (int i = 0; i < line.conditions().size(); i++) {
                boolean any = line.conditions().get(i).isEmpty();
                Box cell = cell(row, columns, i);
                boolean against = !line.allows(i, table.now().get(i));
                if (against) {
                    painter.rect(
                            new Box(cell.x() - 5, cell.y() + 1.5, cell.width() + 6, cell.height() - 3),
                            Fill.edge(Token.MUTED).rounded(3));
                }
                Type type = taken ? Look.CODE.heavy() : Look.CODE;
                Lettering.in(cell, condition(line, i), type, any ? Token.FAINT : ink, painter);
            }
            Box cell = row.rightOf(row.width() - outcome(row.width()));
            Box chip = cell.inset(0, 2).left(cell.width() - 6);
            if (taken && !isFuture) {
                painter.rect(
                        new Box(chip.x() - 6, chip.y(), chip.width() + 6, chip.height()),
                        Fill.of(Token.GUEST_KERNEL).edged(Token.OUTLINE, 1).rounded(3));
            }
            Type type = taken ? Look.BODY.heavy() : Look.BODY;
            Token label = taken && !isFuture ? Ink.on(Token.GUEST_KERNEL) : ink;
            Lettering.in(chip, Wording.outcome(line.outcome()), type, label, painter);
        });
    }

    private String says(RuleTable.Line line, boolean taken) {
        StringBuilder says = new StringBuilder();
        for (int i = 0; i < line.conditions().size(); i++) {
            List<String> values = line.conditions().get(i);
            if (!values.isEmpty()) {
                says.append(says.isEmpty() ? "If " : ", ")
                        .append(input(i))
                        .append(' ')
                        .append(String.join(" or ", values));
            }
        }
        return says.append(says.isEmpty() ? "Always " : ": ")
                .append(Wording.outcome(line.outcome()))
                .append(taken ? ". This line was taken." : ".")
                .toString();
    }
}
