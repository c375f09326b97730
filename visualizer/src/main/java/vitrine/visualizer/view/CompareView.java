package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.Arrays;
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
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Two runs of one program side by side: what both asked, and what only one did. A sign stands
/// beside each colour.
public final class CompareView implements View {

    private static final double HEADER = 40;
    private static final double FOOTER = 84;
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
        Box area = subject.area().inset(Look.MARGIN, 6);
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
        Box body = area.below(HEADER).top(area.height() - HEADER - FOOTER);
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
        summary(subject.run(), other, difference, area.below(area.height() - FOOTER + 4), painter);
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
        if (!first.isEmpty() && !second.isEmpty()) {
            long calls = hostCalls(subject.run(), row.first().orElseThrow());
            long others = hostCalls(subject.other().orElseThrow(), row.second().orElseThrow());
            first += calls == others ? "" : ", " + Wording.count(calls, "host call");
            second += calls == others ? "" : ", " + Wording.count(others, "host call");
        }
        String id = row.id();
        String says = "Call " + row.call() + ": " + (first.isEmpty() ? "nothing" : first) + " "
                + row.verdict().sign() + " " + (second.isEmpty() ? "nothing" : second) + ".";
        String left = Digest.beside(first, second);
        String right = Digest.beside(second, first);
        painter.part(new Part(id, says, box), () -> {
            boolean selected = subject.isSelected(id);
            cell(left, right, row.verdict(), box.left(half), painter);
            cell(right, left, row.verdict(), box.rightOf(half + SIGN), painter);
            Box sign = new Box(box.x() + half, box.y(), SIGN, box.height());
            Lettering.in(sign, row.verdict().sign(), Look.CODE.heavy().centred(), Token.TEXT, painter);
            if (selected || isPresent) {
                Token edge = selected ? Token.SELECTED : Token.ACCENT;
                painter.rect(box, Fill.edge(edge).edged(edge, 2).rounded(Look.CORNER));
            }
        });
    }

    private static long hostCalls(Run run, Story story) {
        return Arrays.stream(run.stories().events(story.number()))
                .filter(n -> run.kind(n) == Kind.HOST_CALL)
                .count();
    }

    private static void cell(String text, String beside, Verdict verdict, Box box, Painter painter) {
        if (text.isEmpty()) {
            painter.line(
                    box.x(),
                    box.middleY(),
                    box.right(),
                    box.middleY(),
                    Pen.of(Token.RULE, 1).inDashes());
            return;
        }
        Token body = switch (verdict) {
            case SAME -> Token.PANEL;
            case CHANGED -> Token.DAX;
            case ONLY_FIRST, ONLY_SECOND -> Token.DAEMON;
        };
        boolean same = verdict == Verdict.SAME;
        painter.rect(
                box, Fill.of(body).edged(same ? Token.RULE : Token.OUTLINE, 1).rounded(3));
        Token ink = same ? Token.TEXT : Ink.on(body);
        Box inner = box.inset(10, 0);
        boolean fits = painter.width(text, Look.CODE) <= inner.width();
        Lettering.in(inner, fits ? text : telling(text, beside), Look.CODE, ink, painter);
    }

    /// Where not all has room: the request, and what the other run's does not say.
    private static String telling(String text, String beside) {
        List<String> words = List.of(text.split(" "));
        List<String> others = List.of(beside.split(" "));
        String own =
                words.stream().skip(1).filter(word -> !others.contains(word)).collect(Collectors.joining(" "));
        return beside.isEmpty() || own.isEmpty() ? text : words.getFirst() + " … " + own;
    }

    private static void summary(Run first, Run second, Difference difference, Box box, Painter painter) {
        String onlyFirst = difference.onlyIn(Verdict.ONLY_FIRST);
        String onlySecond = difference.onlyIn(Verdict.ONLY_SECOND);
        String requests = "only in A: " + (onlyFirst.isEmpty() ? "nothing" : onlyFirst) + ";  only in B: "
                + (onlySecond.isEmpty() ? "nothing" : onlySecond);
        Costs a = first.costs();
        Costs b = second.costs();
        List<String> counts = new ArrayList<>(List.of(
                "A | B:",
                "requests " + a.requests() + " | " + b.requests(),
                "kicks " + a.kicks() + " | " + b.kicks(),
                "host system calls " + a.hostCalls() + " | " + b.hostCalls(),
                Captions.badge(first) + " " + Wording.time(a.total()) + " | " + Wording.time(b.total())));
        Reports.of(first, second).map(Reports::text).ifPresent(counts::add);
        painter.part(new Part("summary", requests + ". " + String.join(", ", counts) + ".", box), () -> {
            painter.line(box.x(), box.y(), box.right(), box.y(), Pen.of(Token.RULE, 1));
            Box inner = box.below(5);
            double used = Lettering.paragraph(inner.top(38), requests, Look.BODY, Token.TEXT, painter);
            items(counts, inner.below(used + 2), painter);
        });
    }

    /// One after the other, in as many lines as they take.
    private static void items(List<String> items, Box box, Painter painter) {
        double x = box.x();
        double y = box.y();
        for (String item : items) {
            double wide = painter.width(item, Look.SMALL) + 0.1;
            if (x > box.x() && x + wide > box.right()) {
                x = box.x();
                y += 17;
            }
            Lettering.in(new Box(x, y, wide, 17), item, Look.SMALL, Token.MUTED, painter);
            x += wide + Look.MARGIN;
        }
    }
}
