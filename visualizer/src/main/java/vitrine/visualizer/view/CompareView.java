package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Ink;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Costs;
import vitrine.visualizer.timeline.Difference;
import vitrine.visualizer.timeline.Difference.Row;
import vitrine.visualizer.timeline.Difference.Verdict;
import vitrine.visualizer.timeline.Digest;
import vitrine.visualizer.timeline.Run;

/// Two runs of one program side by side: what both asked, and what only one did. A sign stands
/// beside each colour.
public final class CompareView implements View {

    private static final double HEADER = 40;
    private static final double LINE = 17;
    private static final double ROW = 28;
    private static final double SIGN = 44;

    @Override
    public String name() {
        return "compare";
    }

    @Override
    public String title() {
        return "Compare";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box area = Captions.around(subject, painter).inset(Look.MARGIN, 6);
        if (subject.other().isEmpty()) {
            String how =
                    "Nothing to compare with yet: open a second run, as in killpriv-off?view=compare&b=killpriv-on.";
            Lettering.paragraph(area.below(HEADER), how, Look.BODY, Token.MUTED, painter);
            return;
        }
        Run other = subject.other().get();
        Difference difference = subject.run().differenceTo(other);
        double half = (area.width() - SIGN) / 2;
        header("A", subject.run(), area.left(half).top(HEADER), painter);
        header("B", other, area.rightOf(half + SIGN).top(HEADER), painter);
        List<Row> rows = difference.rows();
        Summary summary = Summary.of(subject.run(), other, difference, area.width(), painter);
        Box body = area.below(HEADER).top(area.height() - HEADER - summary.height());
        int present = difference.rowOf(subject.run(), subject.session()).orElse(0);
        Rows shown = Rows.of(
                rows.size(),
                Rows.room(body.height(), ROW),
                present,
                subject.manner().scroll());
        for (int i = shown.first(); i < shown.end(); i++) {
            Box box = body.below((i - shown.first()) * ROW).top(ROW - 4);
            row(subject, rows.get(i), i == present, box, painter);
        }
        shown.say("rows", body.below(shown.shown() * ROW).top(ROW - 4), painter);
        summary.paint(area.below(area.height() - summary.height() + 4), painter);
    }

    private static void header(String letter, Run run, Box box, Painter painter) {
        String title = letter + "  " + run.about().getOrDefault("scenario", "capture");
        painter.part(new Part("run-" + letter, run.about().getOrDefault("title", title), box), () -> {
            Box line = box.top(26);
            String reported = run.about().containsKey("reported")
                    ? "reported " + run.about().get("reported")
                    : "";
            double wide = painter.width(reported, Look.SMALL) + 1;
            Lettering.in(line.left(line.width() - wide - 8), title, Look.TITLE, Token.TEXT, painter);
            Lettering.in(line, reported, Look.SMALL.toTheRight(), Token.MUTED, painter);
        });
    }

    private static void row(Subject subject, Row row, boolean isPresent, Box box, Painter painter) {
        double half = (box.width() - SIGN) / 2;
        String first = row.first()
                .map(story -> Wording.compared(subject.run(), story, row.verdict()))
                .orElse("");
        String second = row.second()
                .map(story -> Wording.compared(subject.other().orElseThrow(), story, row.verdict()))
                .orElse("");
        boolean otherwise = false;
        if (!first.isEmpty() && !second.isEmpty()) {
            HostCalls calls = HostCalls.of(subject.run(), row.first().orElseThrow());
            HostCalls others =
                    HostCalls.of(subject.other().orElseThrow(), row.second().orElseThrow());
            first += calls.beside(others);
            second += others.beside(calls);
            otherwise = row.verdict() == Verdict.SAME && !calls.equals(others);
        }
        Sides sides = new Sides(Digest.beside(first, second), Digest.beside(second, first), row.verdict(), otherwise);
        String id = row.id();
        String says = "Call " + row.call() + ": " + (first.isEmpty() ? "nothing" : first) + " " + sides.sign() + " "
                + (second.isEmpty() ? "nothing" : second) + ".";
        painter.part(new Part(id, says, box), () -> {
            boolean selected = subject.isSelected(id);
            sides.cell(sides.left, sides.right, box.left(half), painter);
            sides.cell(sides.right, sides.left, box.rightOf(half + SIGN), painter);
            Box sign = new Box(box.x() + half, box.y(), SIGN, box.height());
            Lettering.in(sign, sides.sign(), Look.CODE.heavy().centred(), Token.TEXT, painter);
            if (selected || isPresent) {
                Token edge = selected ? Token.SELECTED : Token.ACCENT;
                painter.rect(box, Fill.edge(edge).edged(edge, 2).rounded(Look.CORNER));
            }
        });
    }

    /// A row as it is shown.
    ///
    /// @param otherwise whether the same request was done on the host in another way
    private record Sides(String left, String right, Verdict verdict, boolean otherwise) {

        String sign() {
            return otherwise ? "~" : verdict.sign();
        }

        void cell(String text, String beside, Box box, Painter painter) {
            if (text.isEmpty()) {
                double y = box.middleY();
                painter.line(box.x(), y, box.right(), y, Pen.of(Token.RULE, 1).inDashes());
                return;
            }
            boolean same = verdict == Verdict.SAME && !otherwise;
            Token body = same
                    ? Token.PANEL
                    : verdict == Verdict.SAME || verdict == Verdict.CHANGED ? Token.DAX : Token.DAEMON;
            painter.rect(
                    box,
                    Fill.of(body).edged(same ? Token.RULE : Token.OUTLINE, 1).rounded(3));
            Token ink = same ? Token.TEXT : Ink.on(body);
            Box inner = box.inset(10, 0);
            boolean fits = painter.width(text, Look.CODE) <= inner.width();
            Lettering.in(inner, fits ? text : telling(text, beside), Look.CODE, ink, painter);
        }
    }

    /// Where not all has room: the request, and what the other run's does not say.
    private static String telling(String text, String beside) {
        List<String> words = List.of(text.split(" "));
        List<String> others = List.of(beside.split(" "));
        String own =
                words.stream().skip(1).filter(word -> !others.contains(word)).collect(Collectors.joining(" "));
        return beside.isEmpty() || own.isEmpty() ? text : words.getFirst() + " … " + own;
    }

    /// Below the rows: what only one run asked, and how much there was of what.
    ///
    /// @param counts in lines that fit
    private record Summary(String requests, List<Item> counts, String says, double above) {

        private static final double HIGHEST = 38; // of the requests

        /// A piece of a line.
        private record Item(String text, double x, int line) {}

        static Summary of(Run first, Run second, Difference difference, double width, Painter painter) {
            String onlyFirst = difference.onlyIn(Verdict.ONLY_FIRST);
            String onlySecond = difference.onlyIn(Verdict.ONLY_SECOND);
            String requests = "only in A: " + (onlyFirst.isEmpty() ? "nothing" : onlyFirst) + ";  only in B: "
                    + (onlySecond.isEmpty() ? "nothing" : onlySecond);
            Costs a = first.costs();
            Costs b = second.costs();
            List<String> counts = new ArrayList<>(List.of(
                    "A | B:",
                    "requests " + a.requests() + " | " + b.requests(),
                    "kicks " + Wording.kicks(first) + " | " + Wording.kicks(second),
                    "host system calls " + a.hostCalls() + " | " + b.hostCalls(),
                    Captions.badge(first) + " " + Wording.time(a.total()) + " | " + Wording.time(b.total())));
            Reports.of(first, second).map(Reports::text).ifPresent(counts::add);
            String says = requests + ". " + String.join(", ", counts) + ".";
            double above = Math.min(HIGHEST, Lettering.height(requests, Look.BODY, width));
            return new Summary(requests, items(counts, width, painter), says, above);
        }

        /// One after the other, in as many lines as they take; what is wider than a line is broken.
        private static List<Item> items(List<String> texts, double width, Painter painter) {
            List<Item> items = new ArrayList<>();
            double x = 0;
            int line = 0;
            for (String text : texts) {
                for (String piece : Lettering.lines(text, Look.SMALL, width)) {
                    double wide = painter.width(piece, Look.SMALL);
                    if (x > 0 && x + wide > width) {
                        x = 0;
                        line++;
                    }
                    items.add(new Item(piece, x, line));
                    x += wide + Look.MARGIN;
                }
            }
            return items;
        }

        double height() {
            return 4 + 5 + above + 2 + (counts.getLast().line() + 1) * LINE;
        }

        void paint(Box box, Painter painter) {
            painter.part(new Part("summary", says, box), () -> {
                painter.line(box.x(), box.y(), box.right(), box.y(), Pen.of(Token.RULE, 1));
                Box inner = box.below(5);
                Lettering.paragraph(inner.top(above), requests, Look.BODY, Token.TEXT, painter);
                for (Item item : counts) {
                    Box line = inner.below(above + 2 + item.line() * LINE).top(LINE);
                    painter.text(
                            item.text(),
                            line.x() + item.x(),
                            Lettering.baseline(line, Look.SMALL),
                            Look.SMALL,
                            Token.MUTED);
                }
            });
        }
    }
}
