package vitrine.visualizer.view;

import java.util.Optional;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.timeline.RingState;
import vitrine.visualizer.timeline.Selection;
import vitrine.visualizer.timeline.State;
import vitrine.visualizer.timeline.Story;

/// The virtqueue at one moment: descriptors and the chains they form, both rings with both indexes,
/// and what was notified and what was spared. What this step changed has a coloured edge.
public final class RingsView implements View {

    private static final double HEADER = 40;
    private static final double CAPTION = 46;
    private static final double SLOTS = 156;
    private static final double SIDE = 210;

    @Override
    public String name() {
        return "rings";
    }

    @Override
    public String title() {
        return "Rings";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        State state = subject.moment().state();
        Box area = subject.area();
        Box inner = new Box(
                area.x() + Look.MARGIN,
                area.y() + HEADER,
                area.width() - 2 * Look.MARGIN,
                area.height() - HEADER - CAPTION);
        if (state.rings().isEmpty()) {
            Lettering.in(
                    inner.top(24), "No queue has been touched yet: step forward.", Look.BODY, Token.MUTED, painter);
        } else {
            int queue = queue(subject, state);
            RingState ring = state.rings().get(queue);
            header(area, queue, ring, painter);
            Ring shown = new Ring(subject, queue, ring, subject.moment().changesSince());
            double upper = inner.height() - (ring.isSeen() ? SLOTS : 0);
            shown.descriptors(new Box(inner.x(), inner.y(), inner.width() - SIDE - 16, upper), painter);
            shown.notifications(new Box(inner.right() - SIDE, inner.y(), SIDE, upper), painter);
            if (ring.isSeen()) {
                shown.slots(inner.below(upper), painter);
            }
        }
        Captions.paint(subject, area.below(area.height() - CAPTION), painter);
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
        Box title = new Box(Look.MARGIN, 8, area.width() - 2 * Look.MARGIN, 24);
        String name = queue == 0 ? "high-priority queue" : "request queue " + queue;
        String says = name + (ring.size() == 0 ? "" : " of " + ring.size() + " entries");
        painter.part(new Part("queue-" + queue, says, title), () -> {
            Lettering.in(title, name, Look.TITLE, Token.TEXT, painter);
            String size = ring.size() == 0 ? "" : ring.size() + " entries";
            Lettering.in(title, size, Look.SMALL.toTheRight(), Token.MUTED, painter);
            painter.line(title.x(), title.bottom() + 3, title.right(), title.bottom() + 3, Pen.of(Token.RULE, 1));
        });
    }
}
