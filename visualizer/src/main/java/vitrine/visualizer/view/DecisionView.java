package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Field;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Selection;
import vitrine.visualizer.timeline.Story;

/// What the guest's kernel decided in the present system call: each rule, what it looked at, and
/// what came of it.
public final class DecisionView implements View {

    private static final double ROW = 22;
    private static final double CAPTION = 46;

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
        Box area = subject.area();
        Box inner = new Box(Look.MARGIN, 8, area.width() - 2 * Look.MARGIN, area.height() - CAPTION - 8);
        Lettering.in(inner.top(24), "what the guest's kernel decided", Look.TITLE, Token.TEXT, painter);
        List<Integer> decisions = decisions(subject);
        int present = present(subject, decisions);
        Box room = inner.below(34);
        if (decisions.isEmpty()) {
            Lettering.in(room.top(ROW), "nothing, in this system call", Look.BODY, Token.MUTED, painter);
        }
        double columns = Math.max(1, Math.floor(room.width() / 420));
        double width = room.width() / columns;
        double[] heights = new double[(int) columns];
        for (int i : order(decisions.size(), present, (int) columns)) {
            TraceEvent.GuestDecision decision =
                    (TraceEvent.GuestDecision) subject.run().event(decisions.get(i));
            double height = 74 + ROW * inputs(decision).size();
            int column = 0;
            for (int c = 1; c < heights.length; c++) {
                column = heights[c] < heights[column] ? c : column;
            }
            if (heights[column] + height > room.height()) {
                break;
            }
            Box card = new Box(room.x() + column * width, room.y() + heights[column], width - 14, height - 12);
            card(subject, decisions.get(i), i == present, card, painter);
            heights[column] += height;
        }
        Captions.paint(subject, area.below(area.height() - CAPTION), painter);
    }

    /// From the present one on, if there are many; else all.
    private static int[] order(int count, int present, int columns) {
        int first = count > 2 * columns ? Math.max(0, present) : 0;
        return IntStream.range(first, count).toArray();
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

    /// One input a line, however the kernel lists them.
    private static List<Field> inputs(TraceEvent.GuestDecision decision) {
        List<Field> inputs = new ArrayList<>();
        for (Field input : decision.inputs()) {
            if (!input.name().equals("inputs")) {
                inputs.add(input);
                continue;
            }
            for (String part : input.value().split(", ")) {
                int blank = part.lastIndexOf(' ');
                inputs.add(
                        blank < 0
                                ? new Field(part, "")
                                : new Field(part.substring(0, blank), part.substring(blank + 1)));
            }
        }
        return inputs;
    }

    private static void card(Subject subject, int n, boolean isPresent, Box box, Painter painter) {
        TraceEvent.GuestDecision decision =
                (TraceEvent.GuestDecision) subject.run().event(n);
        String id = "event-" + n;
        painter.part(new Part(id, Wording.sentence(decision), box), () -> {
            boolean future = n >= subject.session().position();
            Token edge = subject.isSelected(id) ? Token.SELECTED : isPresent ? Token.ACCENT : Token.RULE;
            painter.rect(
                    box, Fill.of(Token.PANEL).edged(edge, isPresent ? 2.4 : 1).rounded(Look.CORNER));
            Token ink = future ? Token.FAINT : Token.TEXT;
            Box inner = box.inset(12, 8);
            Lettering.in(inner.top(ROW), decision.rule(), Look.HEADING, ink, painter);
            double y = inner.y() + ROW;
            for (Field input : inputs(decision)) {
                Box row = new Box(inner.x(), y, inner.width(), ROW);
                double value = Math.min(row.width() / 2, painter.width(input.value(), Look.CODE) + 1);
                Lettering.in(
                        row.left(row.width() - value - 10),
                        input.name(),
                        Look.BODY,
                        future ? ink : Token.MUTED,
                        painter);
                Lettering.in(row.rightOf(row.width() - value), input.value(), Look.CODE.toTheRight(), ink, painter);
                y += ROW;
            }
            Box outcome = new Box(inner.x(), y + 2, inner.width(), ROW);
            Token chip = future ? Token.PANEL : Token.GUEST_KERNEL;
            painter.rect(
                    outcome,
                    Fill.of(chip).edged(future ? Token.RULE : Token.OUTLINE, 1).rounded(3));
            Token label = future ? Token.FAINT : Ink.on(chip);
            Lettering.in(outcome.inset(8, 0), decision.outcome(), Look.HEADING, label, painter);
        });
    }
}
