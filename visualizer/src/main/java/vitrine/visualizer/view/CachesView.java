package vitrine.visualizer.view;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.CacheState;
import vitrine.visualizer.timeline.CacheState.Belief;
import vitrine.visualizer.timeline.CachedPages;

/// What the guest's kernel may believe without asking, and for how long still: names, attributes,
/// and that a file has nothing to lose. A bar shrinks with the time that is left.
public final class CachesView implements View {

    private static final double ROW = 24;
    private static final double HEADING = 28;
    private static final double BAR = 90;
    private static final double NAME = 0.56; // of a row
    private static final double NODE = 0.3;
    private static final double WIDE = 640; // names and attributes beside each other

    /// What belongs together, below a title.
    private record Section(String title, List<Line> lines) {}

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
    public boolean folds() {
        return true;
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        CacheState caches = subject.moment().state().caches();
        Box inner = Captions.around(subject, painter).inset(Look.MARGIN, 8);
        List<Line> names = caches.names().entrySet().stream()
                .map(entry -> line(entry.getKey(), entry.getValue()))
                .toList();
        List<Line> attributes = Stream.concat(
                        caches.attributes().entrySet().stream().map(entry -> line("node-", "", entry)),
                        caches.nothingToKill().entrySet().stream().map(entry -> line("nosec-", "S_NOSEC, ", entry)))
                .toList();
        List<Line> pages = caches.pages().files().entrySet().stream()
                .map(entry -> pages(subject, entry.getKey(), entry.getValue()))
                .toList();
        if (names.isEmpty() && attributes.isEmpty()) {
            String none = "Nothing is cached: the guest has not been told anything yet that it may believe. "
                    + "LOOKUP and GETATTR say for how long.";
            Lettering.in(inner.top(24), "what the guest's kernel believes", Look.TITLE, Token.TEXT, painter);
            Lettering.paragraph(inner.below(HEADING + 6), none, Look.BODY, Token.MUTED, painter);
            return;
        }
        Section ofNames = new Section("names", names);
        Section ofAttributes = new Section("attributes", attributes);
        Section ofPages = new Section("page cache", pages);
        if (inner.width() >= WIDE) {
            double half = (inner.width() - 24) / 2;
            stack(subject, List.of(ofNames, ofPages), inner.left(half), painter);
            stack(subject, List.of(ofAttributes), inner.rightOf(half + 24), painter);
        } else {
            stack(subject, List.of(ofNames, ofAttributes, ofPages), inner, painter);
        }
    }

    /// One below the other: each has room for a line, and for as many more as it has its share of.
    private static void stack(Subject subject, List<Section> sections, Box box, Painter painter) {
        double least = HEADING + ROW + Look.GAP;
        int lines = sections.stream()
                .mapToInt(each -> Math.max(0, each.lines.size() - 1))
                .sum();
        double free = Math.max(0, box.height() - least * sections.size());
        double perLine = Math.min(ROW, lines == 0 ? 0 : Math.max(free / lines, 0));
        Box rest = box;
        for (Section section : sections) {
            boolean isLast = section == sections.getLast();
            double height = isLast ? rest.height() : least + perLine * Math.max(0, section.lines.size() - 1);
            column(subject, section.title, section.lines, rest.top(height - (isLast ? 0 : Look.GAP)), painter);
            rest = rest.below(height);
        }
    }

    private static Line pages(Subject subject, long node, CachedPages.Pages pages) {
        String ranges = pages.ranges().entrySet().stream()
                .map(range -> range.getKey()
                        + (range.getValue() - range.getKey() == 1 ? "" : " to " + (range.getValue() - 1)))
                .collect(Collectors.joining(", "));
        String what = (pages.count() == 1 ? "page " : "pages ") + ranges;
        Belief belief = new Belief(what, subject.run().nanos(pages.event()), Long.MAX_VALUE, pages.event());
        return new Line("pages-" + Long.toUnsignedString(node), "node " + Long.toUnsignedString(node), what, belief);
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
        String time = title.equals("page cache") ? "until dropped" : "time left, " + Captions.badge(subject.run());
        Lettering.in(box.top(24).rightOf(box.width() - BAR - 8), time, Look.SMALL, Token.MUTED, painter);
        Box body = box.below(HEADING);
        Rows rows = Rows.of(
                lines.size(),
                Rows.room(body.height(), ROW),
                newest(lines),
                subject.manner().scroll());
        for (int i = rows.first(); i < rows.end(); i++) {
            line(subject, lines.get(i), body.below((i - rows.first()) * ROW).top(ROW - 4), painter);
        }
        rows.say(title.replace(' ', '-'), body.below(rows.shown() * ROW).top(ROW - 4), painter);
        if (lines.isEmpty()) {
            Lettering.in(body.top(ROW), "none is cached", Look.BODY, Token.MUTED, painter);
        }
    }

    /// The line that was written last: it is to be seen.
    private static int newest(List<Line> lines) {
        return IntStream.range(0, lines.size())
                .boxed()
                .max(Comparator.comparingInt(i -> lines.get(i).belief().event()))
                .orElse(0);
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
            Box time = new Box(row.right() - BAR - 8, row.middleY() - 5, BAR, 10);
            if (left > 0) {
                painter.rect(time.left(BAR * left), Fill.of(Token.GUEST_KERNEL).edged(Token.OUTLINE, 0.8));
            }
            painter.rect(
                    time,
                    left > 0 ? Fill.edge(Token.RULE) : Fill.edge(Token.RULE).inDashes());
            Box text = row.left(row.width() - BAR - 20).inset(8, 0);
            double what = text.width() * (line.id().startsWith("name-") ? NAME : NODE);
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
