package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Costs;
import vitrine.visualizer.timeline.Costs.Stage;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Where the time goes: a bar for the present system call, one for the whole run, and the same of
/// the run it is compared with. Waiting is hatched.
public final class CostView implements View {

    private static final double WIDEST_LABEL = 190;
    private static final double TOTAL = 156;
    private static final double BAR = 36;
    private static final double BETWEEN = 10;
    private static final double ROW = BAR + BETWEEN;
    private static final double WIDEST_GAP = 26; // more, where there is room
    private static final double REPORTED = 40;
    private static final double LINE = 22;
    private static final double NARROW = 640;
    private static final String[] COUNTED = {"requests", "kicks", "calls", "host system calls"};

    /// A bar.
    private record Bar(String id, String title, String note, Costs costs) {}

    @Override
    public String name() {
        return "cost";
    }

    @Override
    public String title() {
        return "Cost";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box area = Captions.around(subject, painter).inset(Look.MARGIN, 6);
        String heading = "where the time goes, " + Captions.badge(subject.run());
        Lettering.in(area.top(24), heading, Look.TITLE, Token.TEXT, painter);
        List<Bar> ofCall = bars(subject, true);
        List<Bar> ofRun = bars(subject, false);
        double taken =
                28 + 3 * LINE + (ofCall.size() + ofRun.size()) * ROW + 10 + (COUNTED.length + 1) * LINE + REPORTED;
        double free = (area.height() - taken) / Math.max(1, ofCall.size() + ofRun.size());
        double row = ROW + Math.clamp(free, 0, WIDEST_GAP);
        double y = area.y() + 28;
        y = group("this system call", ofCall, new Box(area.x(), y, area.width(), row), painter);
        y = group("the whole run", ofRun, new Box(area.x(), y, area.width(), row), painter);
        double left = area.width() < NARROW ? 0 : label(area.width());
        y += legend(area.rightOf(left).below(y - area.y()).top(LINE), painter);
        counts(subject, new Box(area.x(), y, Math.min(area.width(), 800), area.bottom() - y), painter);
    }

    private static double label(double width) {
        return Math.min(WIDEST_LABEL, 0.25 * width);
    }

    private static List<Bar> bars(Subject subject, boolean ofCall) {
        List<Bar> bars = new ArrayList<>();
        long call = subject.session().story(subject.run()).map(Story::call).orElse(0L);
        bar(subject.run(), ofCall, call, subject.other().isPresent() ? "A  " : "")
                .ifPresent(bars::add);
        subject.other().flatMap(run -> bar(run, ofCall, call, "B  ")).ifPresent(bars::add);
        return bars;
    }

    private static Optional<Bar> bar(Run run, boolean ofCall, long call, String letter) {
        String id = "cost-" + (letter.isEmpty() ? "" : letter.strip() + "-") + (ofCall ? "call" : "run");
        if (!ofCall) {
            String title = letter + run.about().getOrDefault("scenario", "capture");
            return Optional.of(new Bar(id, title, Wording.count(run.costs().requests(), "request"), run.costs()));
        }
        List<Story> stories = call == 0 ? List.of() : run.stories().ofCall(call);
        return stories.isEmpty()
                ? Optional.empty()
                : Optional.of(new Bar(id, letter + name(run, stories), "call " + call, Costs.ofCall(run, call)));
    }

    private static String name(Run run, List<Story> stories) {
        for (int n : run.stories().events(stories.getFirst().number())) {
            if (run.kind(n) == Kind.GUEST_CALL_ENTERED) {
                return run.name(n);
            }
        }
        return stories.getFirst().opcode();
    }

    /// Bars below a title; returns where they end.
    ///
    /// @param first where the title stands, as high as a bar has room
    private static double group(String title, List<Bar> bars, Box first, Painter painter) {
        if (bars.isEmpty()) {
            return first.y();
        }
        Lettering.in(first.top(20), title, Look.SMALL, Token.MUTED, painter);
        long most = bars.stream().mapToLong(bar -> bar.costs().total()).max().orElse(1);
        double y = first.y() + LINE;
        for (Bar bar : bars) {
            bar(bar, bars, most, new Box(first.x(), y, first.width(), first.height() - BETWEEN), painter);
            y += first.height();
        }
        return y;
    }

    private static void bar(Bar bar, List<Bar> bars, long most, Box row, Painter painter) {
        Box title = row.left(label(row.width()) - 12).below(row.height() / 2 - 18);
        Lettering.in(title.top(22), bar.title(), Look.HEADING, Token.TEXT, painter);
        Lettering.in(title.below(20).top(18), bar.note(), Look.SMALL, Token.MUTED, painter);
        double width = Math.max(10, row.width() - label(row.width()) - TOTAL);
        double x = row.x() + label(row.width());
        for (Stage stage : Stage.values()) {
            long nanos = bar.costs().nanos().getOrDefault(stage, 0L);
            double wide = most == 0 ? 0 : (double) nanos / most * width;
            if (wide > 0) {
                piece(bar, stage, nanos, new Box(x, row.y(), wide, row.height()), painter);
            }
            x += wide;
        }
        long total = bar.costs().total();
        Box end = new Box(x + 10, row.middleY() - BAR / 2, row.right() - x - 10, BAR);
        long first = bars.getFirst().costs().total();
        String ratio = bar == bars.getFirst() || total == 0
                ? ""
                : "A takes " + Wording.decimal((double) first / total) + " times as long";
        Lettering.in(end.top(BAR / 2 + 2), Wording.time(total), Look.HEADING, Token.TEXT, painter);
        Lettering.in(end.below(BAR / 2), ratio, Look.SMALL, Token.MUTED, painter);
    }

    private static void piece(Bar bar, Stage stage, long nanos, Box box, Painter painter) {
        String says = stage.title() + ": " + Wording.time(nanos) + " of "
                + Wording.time(bar.costs().total()) + ".";
        painter.part(new Part(bar.id() + "-" + stage.name(), says, box), () -> {
            Token token = token(stage);
            painter.rect(box, Fill.of(token).edged(Token.OUTLINE, 1));
            String text = number(nanos, box.width() - 8, painter);
            double wide = painter.width(text, Look.SMALL.heavy()) + 8;
            if (waits(stage)) {
                painter.hatch(box.inset(1), Token.OUTLINE);
            }
            if (!text.isEmpty()) {
                Box label = new Box(box.middleX() - wide / 2, box.middleY() - 9, wide, 18);
                painter.rect(label, Fill.of(token).rounded(3));
                Lettering.in(label, text, Look.SMALL.heavy().centred(), Ink.on(token), painter);
            }
        });
    }

    /// The time with its unit, or without it where there is no room; empty if neither has room.
    private static String number(long nanos, double room, Painter painter) {
        String time = Wording.time(nanos);
        String bare = time.substring(0, time.indexOf(' '));
        return Stream.of(time, bare)
                .filter(text -> painter.width(text, Look.SMALL.heavy()) <= room)
                .findFirst()
                .orElse("");
    }

    private static boolean waits(Stage stage) {
        return stage == Stage.KICK || stage == Stage.CALL;
    }

    private static Token token(Stage stage) {
        return switch (stage) {
            case GUEST -> Token.GUEST_KERNEL;
            case KICK, CALL -> Token.QUEUE;
            case DAEMON -> Token.DAEMON;
            case HOST -> Token.HOST;
        };
    }

    /// What each colour is, in as many lines as it takes; returns how high they are.
    private static double legend(Box box, Painter painter) {
        double x = box.x();
        double y = box.y();
        for (Stage stage : Stage.values()) {
            double wide = painter.width(stage.title(), Look.SMALL) + 1;
            if (x > box.x() && x + 20 + wide > box.right()) {
                x = box.x();
                y += 22;
            }
            Box chip = new Box(x, y + 4, 14, 14);
            painter.rect(chip, Fill.of(token(stage)).edged(Token.OUTLINE, 1).rounded(2));
            if (waits(stage)) {
                painter.hatch(chip.inset(1), Token.OUTLINE);
            }
            Lettering.in(new Box(x + 20, y, wide, 22), stage.title(), Look.SMALL, Token.MUTED, painter);
            x += 38 + wide;
        }
        return y + 22 - box.y();
    }

    /// How much there was of what costs: as a table, or in lines where that has no room.
    private static void counts(Subject subject, Box box, Painter painter) {
        List<Run> runs = new ArrayList<>(List.of(subject.run()));
        subject.other().ifPresent(runs::add);
        double table = 10 + (COUNTED.length + 1) * LINE;
        if (box.height() >= table) {
            table(runs, box.below(10), painter);
            reported(subject, box.below(table + 10), painter);
            return;
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < COUNTED.length; i++) {
            int counted = i;
            lines.add(COUNTED[i] + " "
                    + runs.stream().map(run -> counts(run)[counted]).collect(Collectors.joining(" | ")));
        }
        Lettering.paragraph(box, String.join(",  ", lines), Look.SMALL, Token.MUTED, painter);
    }

    /// What somebody else has seen of the same change.
    private static void reported(Subject subject, Box box, Painter painter) {
        subject.other()
                .flatMap(other -> Reports.of(subject.run(), other))
                .ifPresent(reports -> Lettering.paragraph(box, reports.text() + ".", Look.BODY, Token.TEXT, painter));
    }

    private static String[] counts(Run run) {
        Costs of = run.costs();
        return new String[] {"" + of.requests(), Wording.kicks(run), "" + of.calls(), "" + of.hostCalls()};
    }

    private static void table(List<Run> runs, Box box, Painter painter) {
        double label = label(box.width());
        double column = (box.width() - label) / 2;
        for (int i = 0; i < runs.size(); i++) {
            Box head = new Box(box.x() + label + i * column, box.y(), column - 20, LINE);
            String letter = runs.size() == 1 ? "in the run" : i == 0 ? "A" : "B";
            Lettering.in(head, letter, Look.SMALL.toTheRight(), Token.MUTED, painter);
        }
        for (int line = 0; line < COUNTED.length; line++) {
            double y = box.y() + (line + 1) * LINE;
            painter.line(box.x(), y, box.x() + label + runs.size() * column - 20, y, Pen.of(Token.RULE, 1));
            Lettering.in(new Box(box.x(), y, label, LINE), COUNTED[line], Look.BODY, Token.TEXT, painter);
            for (int i = 0; i < runs.size(); i++) {
                Box cell = new Box(box.x() + label + i * column, y, column - 20, LINE);
                Lettering.in(cell, counts(runs.get(i))[line], Look.CODE.toTheRight(), Token.TEXT, painter);
            }
        }
    }
}
