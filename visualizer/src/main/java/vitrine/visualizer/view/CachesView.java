package vitrine.visualizer.view;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.timeline.CacheState;
import vitrine.visualizer.timeline.CacheState.Belief;

/// What the guest's kernel may believe without asking, and for how long still: names, attributes,
/// and that a file has nothing to lose. A bar shrinks with the time that is left.
public final class CachesView implements View {

    private static final double ROW = 24;
    private static final double CAPTION = 46;

    /// A line of the picture.
    private record Line(String id, String what, String value, Belief belief) {}

    @Override
    public String name() {
        return "caches";
    }

    @Override
    public String title() {
        return "Caches";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        CacheState caches = subject.moment().state().caches();
        Box area = subject.area();
        Box inner = new Box(Look.MARGIN, 8, area.width() - 2 * Look.MARGIN, area.height() - CAPTION - 8);
        double half = (inner.width() - 24) / 2;
        List<Line> names = caches.names().entrySet().stream()
                .map(entry -> line(entry.getKey(), entry.getValue()))
                .toList();
        List<Line> attributes = Stream.concat(
                        caches.attributes().entrySet().stream().map(entry -> line("node-", "", entry)),
                        caches.nothingToKill().entrySet().stream().map(entry -> line("nosec-", "S_NOSEC, ", entry)))
                .toList();
        column(subject, "names", names, inner.left(half), painter);
        column(subject, "attributes", attributes, inner.rightOf(half + 24), painter);
        Captions.paint(subject, area.below(area.height() - CAPTION), painter);
    }

    private static Line line(CacheState.Name name, Belief belief) {
        String id = "name-" + Long.toUnsignedString(name.parent()) + "-" + name.name();
        return new Line(
                id, "\"" + name.name() + "\" in node " + Long.toUnsignedString(name.parent()), belief.what(), belief);
    }

    private static Line line(String id, String prefix, Map.Entry<Long, Belief> entry) {
        String node = Long.toUnsignedString(entry.getKey());
        Belief belief = entry.getValue();
        return new Line(id + node, "node " + node, prefix + belief.what(), belief);
    }

    private static void column(Subject subject, String title, List<Line> lines, Box box, Painter painter) {
        Lettering.in(box.top(24), title, Look.TITLE, Token.TEXT, painter);
        Lettering.in(
                box.below(24).top(18), "time left, " + Captions.badge(subject.run()), Look.SMALL, Token.MUTED, painter);
        int room = (int) ((box.height() - 48) / ROW);
        int shown = lines.size() <= room ? lines.size() : Math.max(0, room - 1);
        for (int i = 0; i < shown; i++) {
            Box row = new Box(box.x(), box.y() + 48 + i * ROW, box.width(), ROW - 4);
            line(subject, lines.get(i), row, painter);
        }
        if (lines.isEmpty()) {
            Lettering.in(box.below(48).top(ROW), "nothing is believed yet", Look.BODY, Token.MUTED, painter);
        } else if (shown < lines.size()) {
            Box rest = new Box(box.x(), box.y() + 48 + shown * ROW, box.width(), ROW - 4);
            Lettering.in(rest, "and " + (lines.size() - shown) + " more", Look.BODY, Token.MUTED, painter);
        }
    }

    private static void line(Subject subject, Line line, Box row, Painter painter) {
        Belief belief = line.belief();
        double left = left(belief, subject.moment().nanos());
        boolean isNew = belief.event() >= subject.moment().changesSince();
        String says =
                line.what() + " is " + line.value() + (left > 0 ? ", believed for now." : ", must be asked again.");
        painter.part(new Part(line.id(), says, row), () -> {
            Fill frame = Ring.frame(isNew, subject.isSelected(line.id()));
            painter.rect(row, frame);
            double bar = 90;
            Box time = new Box(row.right() - bar - 8, row.middleY() - 5, bar, 10);
            if (left > 0) {
                painter.rect(time.left(bar * left), Fill.of(Token.GUEST_KERNEL).edged(Token.OUTLINE, 0.8));
            }
            painter.rect(
                    time,
                    left > 0 ? Fill.edge(Token.RULE) : Fill.edge(Token.RULE).inDashes());
            Box text = row.left(row.width() - bar - 20).inset(8, 0);
            double what = text.width() * 0.46;
            Token ink = left > 0 ? Token.TEXT : Token.FAINT;
            Lettering.in(text.left(what - 8), line.what(), Look.CODE, ink, painter);
            Lettering.in(text.rightOf(what), line.value(), Look.SMALL_CODE, ink, painter);
        });
    }

    /// The share of its time that is left, 1 to 0.
    private static double left(Belief belief, long now) {
        double whole = (double) belief.until() - belief.since();
        return whole <= 0 ? 0 : Math.clamp(((double) belief.until() - now) / whole, 0, 1);
    }
}
