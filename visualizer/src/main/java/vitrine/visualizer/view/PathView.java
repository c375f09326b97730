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
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Ink;
import vitrine.visualizer.sheet.Lane;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Who speaks to whom, for one system call of the guest: a lane for each stage, a row for each
/// event, time downwards. What has happened is solid, the present bold, the future faint.
public final class PathView implements View {

    private static final double HEADER = 44;
    private static final double ROW = 30;
    private static final double ARROW = 20; // at the present row, left of its number
    private static final double HEAD = 9;
    private static final double RESULT = 80; // right of the host's life line

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
        Box area = Captions.around(subject, painter);
        Lanes lanes = Lanes.of(area, painter.width(String.valueOf(subject.run().size()), Look.SMALL_CODE));
        int[] events = events(subject);
        lanes.paint(painter);
        Box body = area.below(HEADER);
        int present = presentRow(events, subject.session().position());
        Rows rows = Rows.of(
                events.length,
                Rows.room(body.height(), ROW),
                present,
                subject.manner().scroll());
        for (int row = rows.first(); row < rows.end(); row++) {
            Box box = new Box(body.x(), body.y() + (row - rows.first()) * ROW, body.width(), ROW);
            new Row(subject, events[row], row - present, box, lanes).paint(painter);
        }
        Box last = body.below(rows.shown() * ROW).top(ROW).rightOf(Look.MARGIN);
        rows.say("events", last.below(6), painter);
        if (subject.run().isOfADaemon()) {
            lanes.unseen(body.below((rows.shown() + 1) * ROW), painter);
        }
    }

    /// Where the lanes are.
    ///
    /// @param gutter how wide the numbers of the steps are
    private record Lanes(Box area, double gutter, double width) {

        static Lanes of(Box area, double digits) {
            double gutter = ARROW + digits + 14;
            double room = area.width() - gutter;
            int lanes = Lane.values().length;
            double even = room / lanes;
            return new Lanes(area, gutter, even / 2 >= RESULT ? even : (room - RESULT) / (lanes - 0.5));
        }

        double x(Lane lane) {
            return area.x() + gutter + (lane.ordinal() + 0.5) * width;
        }

        /// Why the two lanes of the guest are empty, below all rows.
        void unseen(Box room, Painter painter) {
            String why = "The guest is not seen from here: this is what a daemon noted of itself.";
            Box left = room.rightOf(gutter).left(2 * width - Look.GAP);
            double height = Lettering.height(why, Look.SMALL, left.width());
            if (room.height() >= height) {
                Box blank = left.top(height);
                painter.part(new Part("unseen", why, blank), () -> {
                    painter.rect(blank, Fill.of(Token.PAGE));
                    Lettering.paragraph(blank, why, Look.SMALL, Token.MUTED, painter);
                });
            }
        }

        void paint(Painter painter) {
            for (Lane lane : Lane.values()) {
                Box column = new Box(x(lane) - width / 2, area.y(), width, area.height());
                if (lane.ordinal() % 2 == 1) {
                    painter.rect(column, Fill.of(Token.BAND));
                }
                double x = column.middleX();
                painter.line(x, area.y() + HEADER - 8, x, column.bottom(), Pen.of(Token.RULE, 1.2));
                Box head = new Box(column.x() + 4, area.y() + 8, width - 8, 24);
                painter.part(new Part("lane-" + lane.letter(), "The lane of the " + lane.title() + ".", head), () -> {
                    painter.rect(
                            head, Fill.of(lane.token()).edged(Token.OUTLINE, 1).rounded(Look.CORNER));
                    Type type = Look.HEADING.centred();
                    boolean fits = painter.width(lane.title(), type) <= head.width() - 8;
                    String title = fits ? lane.title() : lane.shortTitle();
                    Lettering.in(head.inset(4, 0), title, type, Ink.on(lane.token()), painter);
                });
            }
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

    /// One event.
    private record Row(Subject subject, int n, int distance, Box box, Lanes lanes) {

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
            Box number = box.left(lanes.gutter() - 8);
            Token token = distance > 0 ? Token.FAINT : isPresent() ? Token.ACCENT : Token.MUTED;
            Type type = Look.SMALL_CODE.toTheRight();
            Lettering.in(number, String.valueOf(n + 1), isPresent() ? type.heavy() : type, token, painter);
            if (isPresent()) {
                painter.arrowHead(box.x() + 12, box.middleY(), 0, HEAD, Token.ACCENT);
            }
        }

        private double x(Lane lane) {
            return lanes.x(lane);
        }

        private void box(TraceEvent event, Painter painter) {
            Type type = isPresent() ? Look.SMALL.heavy().centred() : Look.SMALL.centred();
            double left = box.x() + lanes.gutter();
            double room = Math.min(2.4 * lanes.width(), box.right() - 4 - left) - 16;
            String label = Lettering.fitting(Wording.label(event), type, room);
            double width = painter.width(label, type) + 16;
            double middle = Math.clamp(x(Lane.from(event)), left + width / 2, box.right() - 4 - width / 2);
            Box at = new Box(middle - width / 2, box.y() + 4, width, ROW - 8);
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
            double left = box.x() + lanes.gutter();
            double right = event instanceof TraceEvent.HostCall ? x(Lane.HOST) - 2 : box.right(); // its result is there
            double room = Math.min(right - left - 8, 2.4 * lanes.width());
            String label = Lettering.fitting(Wording.label(event), type, room);
            double width = painter.width(label, type) + 6;
            double centre = Math.clamp(middle, left + width / 2, right - width / 2);
            painter.rect(new Box(centre - width / 2, y - 17, width, 14), Fill.of(Token.PAGE));
            painter.text(label, centre, y - 5.5, type, ink(event));
        }

        /// What came back from the host stands right of its life line, where nothing else is.
        private void result(TraceEvent.HostCall call, Painter painter) {
            double x = x(Lane.HOST) + 5;
            Box at = new Box(x, box.bottom() - 17, box.right() - x - 2, 18);
            String result =
                    Wording.result(call.outcome().result(), call.outcome().errno());
            Lettering.in(at, "= " + result, Look.SMALL_CODE, ink(call), painter);
        }
    }
}
