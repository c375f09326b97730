package vitrine.visualizer.view;

import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.sheet.Ink;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.timeline.RingState.Flying;
import vitrine.visualizer.timeline.RingState.Laps;

/// A packed ring as the one row that both sides go round in, with the places where they are and
/// their wrap counters.
record Lap(Ring ring, Box box) {

    private static final double HEADING = 20;
    private static final double HEIGHT = 26;
    private static final double LINE = 18;
    private static final double NARROWEST = 30;
    private static final int MOST = 32;

    /// Where somebody comes to next.
    private record Place(String id, String who, int at) {}

    /// A heading, the entries, and a line for each of the three places.
    static final double ROW = HEADING + HEIGHT + 4 + 3 * LINE;

    void paint(Painter painter) {
        int size = Math.max(1, ring.state().size());
        Laps laps = ring.state().laps();
        int shown = (int) Math.clamp(box.width() / NARROWEST, 1, Math.min(MOST, size));
        int first = shown >= size ? 0 : Math.floorMod(ring.entry(laps.taken()) - shown / 2, size);
        String heading = "one ring, both sides go round it"
                + (shown < size ? "; entries " + first + " to " + (first + shown - 1) % size + " of " + size : "");
        Lettering.in(box.top(HEADING), heading, Look.SMALL, Token.MUTED, painter);
        double width = box.width() / shown;
        for (int i = 0; i < shown; i++) {
            entry((first + i) % size, new Box(box.x() + i * width, box.y() + HEADING, width - 4, HEIGHT), painter);
        }
        place(new Place("driver-next", "the driver offers", laps.offered()), 0, first, shown, painter);
        place(new Place("device-next", "the device takes", laps.taken()), 1, first, shown, painter);
        place(new Place("device-back", "the device gives back", laps.returned()), 2, first, shown, painter);
    }

    private void entry(int entry, Box at, Painter painter) {
        Flying chain = ring.state().flying().values().stream()
                .filter(each -> Math.floorMod(
                                entry - each.at(), Math.max(1, ring.state().size()))
                        < each.entries())
                .findFirst()
                .orElse(null);
        String id = "entry-" + entry;
        String says = "Entry " + entry
                + (chain == null
                        ? " is the driver's."
                        : " is of chain " + chain.head() + (chain.inDevice() ? ", in the device." : ", offered."));
        painter.part(new Part(id, says, at), () -> {
            Token body = chain == null ? Token.PANEL : chain.inDevice() ? Token.DAEMON : Token.GUEST_KERNEL;
            boolean selected = ring.subject().isSelected(id);
            boolean isNew = ring.isNew(ring.state().descriptor(entry, 14));
            Token edge = selected ? Token.SELECTED : isNew ? Token.CHANGED : chain == null ? Token.RULE : Token.OUTLINE;
            painter.rect(at, Fill.of(body).rounded(3).edged(edge, selected || isNew ? 2.4 : 1));
            Token ink = chain == null ? Token.FAINT : Ink.on(body);
            String text = chain == null ? "·" : String.valueOf(chain.head());
            Lettering.in(at.inset(2, 0), text, Look.SMALL_CODE.centred(), ink, painter);
        });
    }

    /// A line below the entries: an arrow at the entry that somebody comes to next, and who.
    private void place(Place next, int line, int first, int shown, Painter painter) {
        int size = Math.max(1, ring.state().size());
        int place = Math.floorMod(ring.entry(next.at) - first, size);
        double width = box.width() / shown;
        double x = box.x() + Math.min(place, shown - 1) * width + (width - 4) / 2;
        double y = box.y() + HEADING + HEIGHT + 4 + line * LINE;
        if (place < shown) {
            painter.arrowHead(x, y + 2, -90, 8, Token.TEXT);
        }
        String text = next.who + " at " + ring.entry(next.at) + ", wrap " + ring.wrapCounter(next.at);
        Type type = Look.SMALL;
        double wide = painter.width(text, type) + 0.1;
        boolean left = x + 8 + wide > box.right();
        Box room = new Box(left ? Math.max(box.x(), x - 8 - wide) : x + 8, y, wide, LINE - 2);
        painter.part(new Part(next.id, text + ".", room), () -> Lettering.in(room, text, type, Token.TEXT, painter));
    }
}
