package vitrine.visualizer.view;

import java.util.List;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Lane;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session.Zoom;
import vitrine.visualizer.timeline.Spans;

/// The whole run, or a part of it, as four strips over time: what the guest waited for, what was in
/// the queue, in the daemon, and in the host. What is narrower than two pixels is drawn together,
/// so that a million requests take no more strokes than a screen has columns.
public final class TimelineView implements View {

    private static final double AXIS = 28;
    private static final double LABEL = 64;
    private static final double MINIMAP = 18;
    private static final double BETWEEN = 6;
    private static final double TICK = 96; // the least distance of two labels

    @Override
    public String name() {
        return "timeline";
    }

    @Override
    public String title() {
        return "Timeline";
    }

    @Override
    public Box least() {
        return new Box(0, 0, 300, 130);
    }

    /// Where the strips are, which is where a click means a time.
    public static Box strips(Subject subject) {
        Box area = subject.manner().lecture() ? Captions.room(subject) : subject.area();
        return new Box(
                area.x() + LABEL,
                area.y() + AXIS,
                Math.max(1, area.width() - LABEL - 8),
                Math.max(8, area.height() - AXIS - MINIMAP));
    }

    /// The time that a place in the strips stands for.
    public static long timeAt(Subject subject, double x) {
        Box strips = strips(subject);
        Zoom zoom = subject.session().zoom().within(subject.run());
        double share = Math.clamp((x - strips.x()) / strips.width(), 0, 1);
        return zoom.from() + (long) (share * ((double) zoom.to() - zoom.from()));
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        if (subject.manner().lecture()) {
            Captions.around(subject, painter);
        }
        Box strips = strips(subject);
        Zoom zoom = subject.session().zoom().within(subject.run());
        Scale scale = new Scale(strips, zoom);
        axis(subject, strips, scale, painter);
        Lane[] stages = {Lane.PROGRAM, Lane.QUEUE, Lane.DAEMON, Lane.HOST};
        Spans.Lane[] lanes = Spans.Lane.values();
        double height = strips.height() / lanes.length;
        for (int i = 0; i < lanes.length; i++) {
            Box box = new Box(strips.x(), strips.y() + i * height, strips.width(), height - BETWEEN);
            Lane stage = stages[i];
            Box label = new Box(2, box.y(), LABEL - 10, box.height());
            String name = stage == Lane.PROGRAM ? "guest" : stage == Lane.HOST ? "host" : stage.title();
            painter.part(
                    new Part("strip-" + stage.letter(), "The strip of the " + name + ".", label),
                    () -> Lettering.in(label, name.replace("virt", ""), Look.SMALL.toTheRight(), Token.TEXT, painter));
            painter.rect(box, Fill.of(Token.BAND));
            new Strip(subject, subject.run().spans(lanes[i]), stage.token(), box, scale).paint(painter);
        }
        gaps(subject, strips, scale, painter);
        present(subject, strips, scale, painter);
        markers(subject, strips, scale, painter);
        minimap(subject, new Box(strips.x(), strips.bottom() + 4, strips.width(), MINIMAP - 8), zoom, painter);
    }

    /// From times to places.
    record Scale(Box box, Zoom zoom) {

        double x(long nanos) {
            double span = (double) zoom.to() - zoom.from();
            return box.x() + ((double) nanos - zoom.from()) / span * box.width();
        }

        boolean shows(long nanos) {
            return nanos >= zoom.from() && nanos <= zoom.to();
        }
    }

    private static void axis(Subject subject, Box strips, Scale scale, Painter painter) {
        long begin = subject.run().begin();
        double span = (double) scale.zoom().to() - scale.zoom().from();
        double step = niceStep(span / Math.max(1, strips.width() / TICK));
        Box badge = new Box(2, strips.y() - AXIS, LABEL - 10, AXIS - 10);
        Lettering.in(badge, Captions.badge(subject.run()), Look.SMALL.toTheRight(), Token.MUTED, painter);
        double first = Math.ceil(((double) scale.zoom().from() - begin) / step) * step;
        for (double at = first; at <= (double) scale.zoom().to() - begin; at += step) {
            double x = strips.x() + (at + begin - scale.zoom().from()) / span * strips.width();
            painter.line(x, strips.y() - AXIS + 4, x, strips.bottom() - BETWEEN, Pen.of(Token.RULE, 1));
            String text = Wording.time(Math.round(at));
            double width = painter.width(text, Look.SMALL);
            if (x + 4 + width <= strips.right()) {
                painter.text(text, x + 4, strips.y() - AXIS + 14, Look.SMALL, Token.MUTED);
            }
        }
    }

    /// The next of 1, 2 and 5 times a power of ten.
    private static double niceStep(double least) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(1, least))));
        for (double factor : new double[] {1, 2, 5}) {
            if (factor * power >= least) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    /// Where events are missing: from the last that was seen to the first that was seen again.
    private static void gaps(Subject subject, Box strips, Scale scale, Painter painter) {
        Run run = subject.run();
        for (int n : run.gaps()) {
            long from = n == 0 ? run.begin() : run.nanos(n - 1);
            long to = n + 1 < run.size() ? run.nanos(n + 1) : run.end();
            if (to >= scale.zoom().from() && from <= scale.zoom().to()) {
                double left = Math.clamp(scale.x(from), strips.x(), strips.right() - 4);
                double right = Math.clamp(scale.x(to), left + 4, strips.right());
                Box gap = new Box(left, strips.y(), right - left, strips.height() - BETWEEN);
                painter.part(
                        new Part("event-" + n, Wording.sentence(run.event(n)), gap),
                        () -> painter.hatch(gap, Token.ERROR));
            }
        }
    }

    private static void present(Subject subject, Box strips, Scale scale, Painter painter) {
        long now = subject.moment().nanos();
        if (scale.shows(now)) {
            double x = scale.x(now);
            painter.line(x, strips.y() - 8, x, strips.bottom() - BETWEEN, Pen.of(Token.ACCENT, 2));
            painter.arrowHead(x, strips.y() - 1, 90, 9, Token.ACCENT);
        }
    }

    private static void markers(Subject subject, Box strips, Scale scale, Painter painter) {
        List<Integer> markers = subject.session().markers();
        for (int i = 0; i < markers.size(); i++) {
            long nanos = subject.run().at(markers.get(i)).nanos();
            if (scale.shows(nanos)) {
                double x = scale.x(nanos);
                String letter = String.valueOf((char) ('A' + i % 26));
                Box flag = new Box(x, strips.y(), 14, 14);
                String says = "Marker " + letter + " at "
                        + Wording.time(nanos - subject.run().begin()) + ".";
                painter.part(new Part("marker-" + letter, says, flag), () -> {
                    painter.line(x, strips.y(), x, strips.bottom() - BETWEEN, Pen.of(Token.SELECTED, 1.5));
                    painter.rect(flag, Fill.of(Token.SELECTED));
                    Lettering.in(flag, letter, Look.SMALL.heavy().centred(), Token.PAGE, painter);
                });
            }
        }
    }

    private static void minimap(Subject subject, Box box, Zoom zoom, Painter painter) {
        Scale whole = new Scale(box, Zoom.ALL.within(subject.run()));
        painter.part(new Part("minimap", "The whole run; the frame is what is shown above.", box), () -> {
            painter.rect(box, Fill.of(Token.PANEL).edged(Token.RULE, 1).rounded(3));
            double from = Math.clamp(whole.x(zoom.from()), box.x(), box.right());
            double to = Math.clamp(whole.x(zoom.to()), box.x(), box.right());
            Box frame = new Box(from, box.y(), Math.max(3, to - from), box.height());
            if (frame.width() < box.width() - 1) {
                painter.rect(
                        frame, Fill.edge(Token.ACCENT).edged(Token.ACCENT, 1.5).rounded(3));
            }
            double now = whole.x(subject.moment().nanos());
            painter.line(now, box.y(), now, box.bottom(), Pen.of(Token.ACCENT, 2));
        });
    }
}
