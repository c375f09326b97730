package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.List;
import vitrine.trace.TraceEvent.Area;
import vitrine.trace.TraceEvent.Signal;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.timeline.RingState;
import vitrine.visualizer.timeline.RingState.Cell;

/// What was notified in a queue, what was spared, and what each side wants to be told: as a column,
/// or in two rows where there is little room.
///
/// @param counts how often; a daemon's capture has no kicks
/// @param wishes what for
record Notices(Ring ring, List<Notice> counts, List<Notice> wishes) {

    /// How wide the column is.
    static final double WIDTH = 210;

    /// How high the two rows are.
    static final double TWO_ROWS = 50;

    private static final double ROW = 22;
    private static final double BETWEEN = 6;
    private static final int AT_ENTRY = 2;

    /// A name and a value.
    private record Notice(String id, String name, String value, String says, boolean isNew) {}

    static Notices of(Ring ring) {
        List<Notice> counts = new ArrayList<>();
        if (!ring.subject().run().isOfADaemon()) {
            counts.add(count(ring, "kicks", Signal.KICK));
            counts.add(count(ring, "kicks spared", Signal.KICK_SUPPRESSED));
        }
        counts.add(count(ring, "calls", Signal.CALL));
        counts.add(count(ring, "calls spared", Signal.CALL_SUPPRESSED));
        RingState state = ring.state();
        List<Notice> wishes = !state.isSeen()
                ? List.of()
                : state.isPacked()
                        ? List.of(
                                suppression(ring, "calls wanted", Area.AVAILABLE),
                                suppression(ring, "kicks wanted", Area.USED))
                        : List.of(
                                wish(
                                        ring,
                                        "avail_event",
                                        state.availEvent(),
                                        "the device wants a kick after this entry"),
                                wish(ring, "used_event", state.usedEvent(), "the driver wants a call after this entry"),
                                wish(ring, "avail.flags", state.availFlags(), "1 means: no calls, please"),
                                wish(ring, "used.flags", state.usedFlags(), "1 means: no kicks, please"));
        return new Notices(ring, counts, wishes);
    }

    private static Notice count(Ring ring, String name, Signal signal) {
        String value = String.valueOf(ring.state().count(signal));
        boolean isNew = ring.isNew(ring.state().last(signal));
        return new Notice("signal-" + signal, name, value, name + ": " + value, isNew);
    }

    private static Notice wish(Ring ring, String name, Cell cell, String meaning) {
        String says = name + " is " + cell.value() + ": " + meaning;
        return new Notice("field-" + name, name, String.valueOf(cell.value()), says, ring.isNew(cell));
    }

    /// An event suppression structure: `off_wrap` and `flags` (virtio 1.3, 2.8.10).
    private static Notice suppression(Ring ring, String name, Area area) {
        Cell cell = ring.state().suppression(area);
        int flags = (int) (cell.value() >> 16) & 3;
        long entry = cell.value() & 0x7fff;
        long wrap = cell.value() >> 15 & 1;
        String value = flags == AT_ENTRY ? "at " + entry + ", wrap " + wrap : flags == 0 ? "always" : "never";
        String who = area == Area.AVAILABLE ? "driver event suppression" : "device event suppression";
        return new Notice("field-" + area, name, value, who + ": flags " + flags + ", " + value, ring.isNew(cell));
    }

    /// How high the column is.
    double height() {
        return ROW * (1 + counts.size()) + (wishes.isEmpty() ? 0 : 8 + ROW * (1 + wishes.size()));
    }

    void column(Box box, Painter painter) {
        double y = column("notifications", counts, box, box.y(), painter);
        if (!wishes.isEmpty()) {
            column("wishes", wishes, box, y + 8, painter);
        }
    }

    private double column(String title, List<Notice> notices, Box box, double top, Painter painter) {
        Lettering.in(new Box(box.x(), top, box.width(), ROW - 2), title, Look.SMALL, Token.MUTED, painter);
        double y = top + ROW;
        for (Notice notice : notices) {
            notice(notice, new Box(box.x(), y, box.width(), ROW - 2), painter);
            y += ROW;
        }
        return y;
    }

    void twoRows(Box box, Painter painter) {
        double y = box.y();
        for (List<Notice> row : new ArrayList<>(List.of(counts, wishes))) {
            double width = (box.width() + BETWEEN) / Math.max(1, row.size());
            for (int i = 0; i < row.size(); i++) {
                notice(row.get(i), new Box(box.x() + i * width, y, width - BETWEEN, ROW - 2), painter);
            }
            y += ROW;
        }
    }

    private void notice(Notice notice, Box box, Painter painter) {
        painter.part(new Part(notice.id(), notice.says() + ".", box), () -> {
            painter.rect(box, Ring.frame(notice.isNew(), ring.subject().isSelected(notice.id())));
            Box inner = box.inset(8, 0);
            Type type = Look.SMALL_CODE.toTheRight();
            double value = painter.width(notice.value(), type.heavy()) + 1;
            Lettering.in(inner.left(inner.width() - value - 4), notice.name(), Look.SMALL, Token.TEXT, painter);
            Lettering.in(inner, notice.value(), notice.isNew() ? type.heavy() : type, Token.TEXT, painter);
        });
    }
}
