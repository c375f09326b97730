package vitrine.visualizer.view;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Signal;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Who speaks to whom, for one system call of the guest: a lane for each stage, a row for each
/// event, time downwards. What has happened is solid, the present bold, the future faint.
public final class PathView implements View {

    private static final double HEADER = 44;
    private static final double CAPTION = 46;
    private static final double ROW = 30;
    private static final double GUTTER = 64; // for the numbers of the steps
    private static final double HEAD = 9;

    @Override
    public String name() {
        return "path";
    }

    @Override
    public String title() {
        return "Path";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box area = subject.area();
        Box lanes = area.rightOf(GUTTER);
        double laneWidth = lanes.width() / Lane.values().length;
        lanes(area, laneWidth, painter);

        int[] events = events(subject);
        int rows = (int) Math.max(1, (area.height() - HEADER - CAPTION) / ROW);
        int present = presentRow(events, subject.session().position());
        int first = Math.clamp(present - rows / 2L, 0, Math.max(0, events.length - rows));
        for (int row = first; row < Math.min(events.length, first + rows); row++) {
            Box box = new Box(area.x(), HEADER + (row - first) * ROW, area.width(), ROW);
            new Row(subject, events[row], row - present, box, laneWidth).paint(painter);
        }
        more(first, "earlier", new Box(area.x(), HEADER - 16, GUTTER - 8, 16), painter);
        int later = events.length - first - rows;
        more(later, "later", new Box(area.x(), area.bottom() - CAPTION - 15, GUTTER - 8, 14), painter);
        Captions.paint(subject, area.below(area.height() - CAPTION), painter);
    }

    private static void lanes(Box area, double laneWidth, Painter painter) {
        for (Lane lane : Lane.values()) {
            Box column = new Box(
                    area.x() + GUTTER + lane.ordinal() * laneWidth, area.y(), laneWidth, area.height() - CAPTION);
            if (lane.ordinal() % 2 == 1) {
                painter.rect(column, Fill.of(Token.BAND));
            }
            painter.line(column.middleX(), HEADER - 8, column.middleX(), column.bottom(), Pen.of(Token.RULE, 1.2));
            Box head = new Box(column.x() + 6, 8, laneWidth - 12, 24);
            painter.part(new Part("lane-" + lane.letter(), "The lane of the " + lane.title() + ".", head), () -> {
                painter.rect(head, Fill.of(lane.token()).edged(Token.OUTLINE, 1).rounded(Look.CORNER));
                Lettering.in(head.inset(6, 0), lane.title(), Look.HEADING.centred(), Ink.on(lane.token()), painter);
            });
        }
    }

    /// The events to show: those of all requests of the system call that is being looked at.
    private static int[] events(Subject subject) {
        Run run = subject.run();
        Optional<Story> story = subject.session().story(run);
        if (story.isEmpty()) {
            return IntStream.range(0, run.size()).limit(1000).toArray();
        }
        List<Story> together = story.get().call() == 0
                ? List.of(story.get())
                : run.stories().ofCall(story.get().call());
        return together.stream()
                .flatMapToInt(part -> Arrays.stream(run.stories().events(part.number())))
                .filter(n -> run.kind(n) != Kind.RING_ACCESS)
                .sorted()
                .toArray();
    }

    /// The row of the event that has happened last; -1 before the first.
    private static int presentRow(int[] events, int position) {
        int found = Arrays.binarySearch(events, position - 1);
        return found >= 0 ? found : -found - 2;
    }

    private static void more(int count, String when, Box box, Painter painter) {
        if (count > 0) {
            Lettering.in(box, count + " " + when, Look.SMALL.toTheRight(), Token.MUTED, painter);
        }
    }

    /// One event.
    private record Row(Subject subject, int n, int distance, Box box, double laneWidth) {

        void paint(Painter painter) {
            TraceEvent event = subject.run().event(n);
            String id = "event-" + n;
            painter.part(new Part(id, Wording.sentence(event), box), () -> {
                if (subject.isSelected(id)) {
                    Box frame = box.inset(2, 1);
                    painter.rect(
                            frame,
                            Fill.edge(Token.SELECTED).rounded(Look.CORNER).edged(Token.SELECTED, 2));
                }
                gutter(painter);
                if (Lane.from(event) == Lane.to(event)) {
                    box(event, painter);
                } else {
                    arrow(event, painter);
                }
            });
        }

        private boolean isPresent() {
            return distance == 0;
        }

        private Token ink(TraceEvent event) {
            boolean failed = subject.run().error(n) != 0;
            if (distance > 0) {
                return Token.FAINT;
            }
            return isPresent() ? Token.ACCENT : failed ? Token.ERROR : Token.TEXT;
        }

        private void gutter(Painter painter) {
            Box number = box.left(GUTTER - 8);
            Token token = distance > 0 ? Token.FAINT : isPresent() ? Token.ACCENT : Token.MUTED;
            Type type = Look.SMALL_CODE.toTheRight();
            Lettering.in(number, String.valueOf(n + 1), isPresent() ? type.heavy() : type, token, painter);
            if (isPresent()) {
                painter.arrowHead(box.x() + 12, box.middleY(), 0, HEAD, Token.ACCENT);
            }
        }

        private double x(Lane lane) {
            return box.x() + GUTTER + (lane.ordinal() + 0.5) * laneWidth;
        }

        private void box(TraceEvent event, Painter painter) {
            Type type = isPresent() ? Look.SMALL.heavy().centred() : Look.SMALL.centred();
            double room = Math.min(1.7 * laneWidth, 2 * (box.right() - 4 - x(Lane.from(event)))) - 16;
            String label = Lettering.fitting(Wording.label(event), type, room);
            double width = painter.width(label, type) + 16;
            Box at = new Box(x(Lane.from(event)) - width / 2, box.y() + 4, width, ROW - 8);
            Token edge = distance > 0
                    ? Token.RULE
                    : isPresent() ? Token.ACCENT : Lane.from(event).token();
            painter.rect(
                    at, Fill.of(Token.PAGE).edged(edge, isPresent() ? 2 : 1.2).rounded(Look.CORNER));
            Lettering.in(at, label, type, ink(event), painter);
        }

        private void arrow(TraceEvent event, Painter painter) {
            double from = x(Lane.from(event));
            double to = x(Lane.to(event));
            double y = box.bottom() - 8;
            double sign = Math.signum(to - from);
            Token token = ink(event);
            boolean spared = event instanceof TraceEvent.Notified told
                    && (told.signal() == Signal.KICK_SUPPRESSED || told.signal() == Signal.CALL_SUPPRESSED);
            Pen pen = new Pen(token, isPresent() ? 2.6 : 1.3, spared);
            painter.line(from, y, to - sign * (spared ? 0 : HEAD - 1), y, pen);
            if (!spared) {
                painter.arrowHead(to, y, sign > 0 ? 0 : 180, HEAD, token);
            }
            label(event, (from + to) / 2, y, painter);
            if (event instanceof TraceEvent.HostCall call) {
                result(call, painter);
            }
        }

        private void label(TraceEvent event, double middle, double y, Painter painter) {
            Type type = isPresent() ? Look.SMALL.heavy().centred() : Look.SMALL.centred();
            double room = 2 * Math.min(middle - box.x() - GUTTER, box.right() - middle) - 8;
            String label = Lettering.fitting(Wording.label(event), type, Math.min(room, 1.9 * laneWidth));
            double width = painter.width(label, type) + 6;
            double right = event instanceof TraceEvent.HostCall ? x(Lane.HOST) - 2 : box.right(); // its result is there
            double centre = Math.min(middle, right - width / 2);
            painter.rect(new Box(centre - width / 2, y - 17, width, 14), Fill.of(Token.PAGE));
            painter.text(label, centre, y - 5.5, type, ink(event));
        }

        /// What came back from the host stands right of its life line, where nothing else is.
        private void result(TraceEvent.HostCall call, Painter painter) {
            Box at = new Box(x(Lane.HOST) + 5, box.bottom() - 17, laneWidth / 2 - 9, 18);
            String result =
                    Wording.result(call.outcome().result(), call.outcome().errno());
            Lettering.in(at, "= " + result, Look.SMALL_CODE, ink(call), painter);
        }
    }
}
