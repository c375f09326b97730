package vitrine.visualizer.view;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Selection;
import vitrine.visualizer.timeline.Story;

/// What the guest's kernel decided in the present system call, and for one of the decisions its
/// rule as a table: all that can come of it, what the inputs were, and the line that was taken.
public final class DecisionView implements View {

    /// The part that runs the scenario again.
    public static final String WHAT_IF = "what-if";

    private static final double ROW = 22;
    private static final double WIDE = 760; // beside the list there is room for the table
    private static final double LIST = 250;

    @Override
    public String name() {
        return "decision";
    }

    @Override
    public String title() {
        return "Decision";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box room = Captions.around(subject, painter).inset(Look.MARGIN, 8);
        Box inner = room.top(room.height() - ROW);
        List<Integer> decisions = decisions(subject);
        if (decisions.isEmpty()) {
            String none = "In this system call the guest's kernel had nothing to decide.";
            Lettering.paragraph(inner, none, Look.BODY, Token.MUTED, painter);
            return;
        }
        whatIf(room.below(room.height() - ROW), painter);
        int present = Math.max(0, present(subject, decisions));
        TraceEvent.GuestDecision decision =
                (TraceEvent.GuestDecision) subject.run().event(decisions.get(present));
        if (inner.width() >= WIDE) {
            list(subject, decisions, present, inner.left(LIST), painter);
            RulePicture.of(subject, decisions.get(present), decision).paint(inner.rightOf(LIST + 24), painter);
            return;
        }
        RulePicture picture = RulePicture.of(subject, decisions.get(present), decision);
        double least = ROW * Math.min(2, decisions.size());
        double table = Math.min(picture.height(inner.width(), painter), inner.height() - least - Look.GAP);
        picture.paint(inner.top(table), painter);
        list(subject, decisions, present, inner.below(table + Look.GAP), painter);
    }

    /// Where the reader goes another way.
    private static void whatIf(Box line, Painter painter) {
        String text = "What if? F, or a click here, runs it again with one thing changed.";
        Box box = line.left(painter.width(text, Look.BODY) + 1);
        painter.part(new Part(WHAT_IF, text, box), () -> Lettering.in(box, text, Look.BODY, Token.ACCENT, painter));
    }

    /// All decisions of the system call, a line each.
    private static void list(Subject subject, List<Integer> decisions, int present, Box box, Painter painter) {
        Rows rows = Rows.of(
                decisions.size(),
                Rows.room(box.height(), ROW),
                present,
                subject.manner().scroll());
        for (int i = rows.first(); i < rows.end(); i++) {
            Box row = box.below((i - rows.first()) * ROW).top(ROW - 2);
            line(subject, decisions.get(i), i == present, row, painter);
        }
        rows.say("decisions", box.below(rows.shown() * ROW).top(ROW), painter);
    }

    private static void line(Subject subject, int n, boolean isPresent, Box row, Painter painter) {
        TraceEvent.GuestDecision decision =
                (TraceEvent.GuestDecision) subject.run().event(n);
        String id = "event-" + n;
        painter.part(new Part(id, Wording.sentence(decision), row), () -> {
            boolean future = n >= subject.session().position();
            Token edge = subject.isSelected(id) ? Token.SELECTED : isPresent ? Token.ACCENT : Token.RULE;
            painter.rect(
                    row, Fill.of(Token.PANEL).edged(edge, isPresent ? 2 : 1).rounded(3));
            Token ink = future ? Token.FAINT : Token.TEXT;
            Box inner = row.inset(8, 0);
            Type type = isPresent ? Look.SMALL.heavy() : Look.SMALL;
            String outcome = Lettering.fitting(Wording.outcome(decision.outcome()), type, inner.width() * 0.55);
            double wide = painter.width(outcome, type) + 1;
            Lettering.in(inner.left(inner.width() - wide - 10), decision.rule(), type, ink, painter);
            Lettering.in(inner, outcome, type.toTheRight(), ink, painter);
        });
    }

    private static List<Integer> decisions(Subject subject) {
        Run run = subject.run();
        Optional<Story> story = subject.session().story(run);
        if (story.isEmpty()) {
            return List.of();
        }
        List<Story> together = story.get().call() == 0
                ? List.of(story.get())
                : run.stories().ofCall(story.get().call());
        return together.stream()
                .flatMapToInt(part -> IntStream.of(run.stories().events(part.number())))
                .filter(n -> run.kind(n) == Kind.GUEST_DECISION)
                .sorted()
                .boxed()
                .toList();
    }

    private static int present(Subject subject, List<Integer> decisions) {
        Optional<Integer> selected = Selection.number(subject.session().selection(), "event");
        int present = -1;
        for (int i = 0; i < decisions.size(); i++) {
            if (decisions.get(i) < subject.session().position()) {
                present = i;
            }
            if (selected.isPresent() && selected.get().equals(decisions.get(i))) {
                return i;
            }
        }
        return present;
    }
}
