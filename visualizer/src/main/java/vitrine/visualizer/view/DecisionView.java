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
        int columns = (int) Math.max(1, room.width() / 420);
        int first = 0;
        while (first < present
                && layOut(subject, decisions, first, columns, room).size() <= present - first) {
            first++; // the present one is to be seen
        }
        List<Box> cards = layOut(subject, decisions, first, columns, room);
        for (int i = 0; i < cards.size(); i++) {
            card(subject, decisions.get(first + i), first + i == present, cards.get(i), painter);
        }
        Captions.paint(subject, area.below(area.height() - CAPTION), painter);
    }

    /// Where the cards lie, from one of them on: each in the column that has most room, as many as
    /// there is room for.
    private static List<Box> layOut(Subject subject, List<Integer> decisions, int first, int columns, Box room) {
        double width = room.width() / columns;
        double[] heights = new double[columns];
        List<Box> cards = new ArrayList<>();
        for (int n : decisions.subList(first, decisions.size())) {
            double height = 74
                    + ROW
                            * inputs((TraceEvent.GuestDecision) subject.run().event(n))
                                    .size();
            int column = 0;
            for (int c = 1; c < columns; c++) {
                column = heights[c] < heights[column] ? c : column;
            }
            if (heights[column] + height > room.height()) {
                break;
            }
            cards.add(new Box(room.x() + column * width, room.y() + heights[column], width - 14, height - 12));
            heights[column] += height;
        }
        return cards;
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
            List<Field> inputs = inputs(decision);
            List<String> others = WhatIf.of(decision.rule(), inputs);
            for (int i = 0; i < inputs.size(); i++) {
                Box row = new Box(inner.x(), y, inner.width(), ROW);
                input(row, inputs.get(i), others.get(i), ink, painter);
                y += ROW;
            }
            Box outcome = new Box(inner.x(), y + 2, inner.width(), ROW);
            Token chip = future ? Token.PANEL : Token.GUEST_KERNEL;
            painter.rect(
                    outcome,
                    Fill.of(chip).edged(future ? Token.RULE : Token.OUTLINE, 1).rounded(3));
            Token label = future ? Token.FAINT : Ink.on(chip);
            String result = decision.outcome().equals("[]") ? "nothing" : decision.outcome();
            Lettering.in(outcome.inset(8, 0), result, Look.HEADING, label, painter);
        });
    }

    /// An input, what it was, and what would come of it the other way round.
    private static void input(Box row, Field input, String other, Token ink, Painter painter) {
        double middle = row.width() * 0.58;
        double value = Math.min(middle / 2, painter.width(input.value(), Look.CODE) + 1);
        Token muted = ink == Token.FAINT ? ink : Token.MUTED;
        Lettering.in(row.left(middle - value - 10), input.name(), Look.BODY, muted, painter);
        Box column = row.left(middle).rightOf(middle - value);
        Lettering.in(column, input.value(), Look.CODE.toTheRight(), ink, painter);
        if (!other.isEmpty()) {
            String what = "else " + other;
            Lettering.in(row.rightOf(middle + 16), what, Look.SMALL, muted, painter);
        }
    }
}
