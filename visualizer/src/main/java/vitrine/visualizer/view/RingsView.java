package vitrine.visualizer.view;

import java.util.Optional;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.RingState;
import vitrine.visualizer.timeline.Selection;
import vitrine.visualizer.timeline.State;
import vitrine.visualizer.timeline.Story;

/// The virtqueue at one moment: descriptors and the chains they form, both rings with both indexes,
/// and what was notified and what was spared. What this step changed has a coloured edge.
public final class RingsView implements View {

    private static final double HEADER = 38;
    private static final double WIDE = 720; // beside the table there is room for the notifications

    @Override
    public String name() {
        return "rings";
    }

    @Override
    public String title() {
        return "Rings";
    }

    @Override
    public boolean folds() {
        return true;
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        State state = subject.moment().state();
        Box area = Captions.around(subject, painter);
        if (state.rings().isEmpty()) {
            String none = "No queue has been touched yet: step forward.";
            Lettering.paragraph(area.inset(Look.MARGIN, 10), none, Look.BODY, Token.MUTED, painter);
            return;
        }
        int queue = queue(subject, state);
        RingState ring = state.rings().get(queue);
        header(area, queue, ring, painter);
        body(
                new Ring(subject, ring, subject.moment().changesSince()),
                area.below(HEADER).inset(Look.MARGIN, 0),
                painter);
    }

    private static void body(Ring ring, Box box, Painter painter) {
        double lower = !ring.state().isSeen() ? 0 : ring.state().isPacked() ? Lap.ROW : 2 * Slots.ROW;
        Notices notices = Notices.of(ring);
        double natural = Math.max(notices.height(), RingTable.height(ring)) + Look.GAP;
        Box upper = box.top(Math.min(box.height() - lower, natural + Notices.TWO_ROWS));
        if (box.width() >= WIDE && notices.height() <= upper.height()) {
            upper = upper.top(natural);
            Box table = upper.left(box.width() - Notices.WIDTH - Look.MARGIN);
            RingTable.of(ring, table.width()).paint(table, painter);
            notices.column(upper.rightOf(box.width() - Notices.WIDTH), painter);
        } else {
            notices.twoRows(upper.top(Notices.TWO_ROWS), painter);
            RingTable.of(ring, box.width()).paint(upper.below(Notices.TWO_ROWS), painter);
        }
        Box rings = box.below(upper.height());
        if (ring.state().isSeen() && ring.state().isPacked()) {
            new Lap(ring, rings).paint(painter);
        } else if (ring.state().isSeen()) {
            Slots.both(ring, rings.top(Slots.ROW), rings.below(Slots.ROW), painter);
        }
    }

    /// The queue of the selected part, else that of the present request, else the first.
    private static int queue(Subject subject, State state) {
        Optional<Integer> selected =
                Selection.number(subject.session().selection(), "queue").filter(state.rings()::containsKey);
        Optional<Integer> ofStory =
                subject.session().story(subject.run()).map(Story::queue).filter(state.rings()::containsKey);
        return selected.or(() -> ofStory).orElse(state.rings().firstKey());
    }

    private static void header(Box area, int queue, RingState ring, Painter painter) {
        Box title = area.inset(Look.MARGIN, 6).top(24);
        String name = queue == 0 ? "high-priority queue" : "request queue " + queue;
        String entries = (ring.isPacked() ? "packed, " : ring.isSeen() ? "split, " : "") + ring.size() + " entries";
        String says = name + (ring.size() == 0 ? "" : ", " + entries);
        painter.part(new Part("queue-" + queue, says, title), () -> {
            Lettering.in(title, name, Look.TITLE, Token.TEXT, painter);
            String size = ring.size() == 0 ? "" : entries;
            double left = painter.width(name, Look.TITLE) + Look.GAP;
            Lettering.in(title.rightOf(left), size, Look.SMALL.toTheRight(), Token.MUTED, painter);
            painter.line(title.x(), title.bottom() + 3, title.right(), title.bottom() + 3, Pen.of(Token.RULE, 1));
        });
    }
}
