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
import vitrine.visualizer.timeline.RingState.Cell;

/// The slots of one of the two rings, and where both sides have got to.
///
/// @param ring what they belong to
/// @param box room for a heading, the slots, and a line for the indexes
/// @param index of the side that fills them
/// @param reached of the side that takes them out
/// @param name `avail` or `used`
record Slots(Ring ring, Box box, Cell index, int reached, String name) {

    private static final double HEADING = 18;
    private static final double HEIGHT = 24;
    private static final double ARROW = 8;
    private static final double NARROWEST = 44;
    private static final int MOST = 16;

    /// A heading, the slots, and two lines for the indexes.
    static final double ROW = HEADING + HEIGHT + 30;

    private static Slots available(Ring ring, Box box) {
        return new Slots(ring, box, ring.state().availIdx(), ring.state().popped() & 0xffff, "avail");
    }

    private static Slots used(Ring ring, Box box) {
        return new Slots(ring, box, ring.state().usedIdx(), ring.state().reaped() & 0xffff, "used");
    }

    private boolean isAvailable() {
        return name.equals("avail");
    }

    private Token writer() {
        return isAvailable() ? Token.GUEST_KERNEL : Token.DAEMON;
    }

    /// Both rings, one below the other: the same slots of each, so that a request stands where it
    /// stood.
    static void both(Ring ring, Box upper, Box lower, Painter painter) {
        Slots available = available(ring, upper);
        Slots used = used(ring, lower);
        int size = Math.max(1, ring.state().size());
        int shown = Math.min(available.shown(painter), used.shown(painter));
        int oldest = used.reached % size;
        boolean isAtFirst = oldest < shown && (int) available.index.value() % size < shown;
        int first = isAtFirst ? 0 : Math.floorMod(oldest - shown / 4, size);
        available.paint(first, shown, painter);
        used.paint(first, shown, painter);
    }

    private void paint(int first, int shown, Painter painter) {
        int size = ring.state().size();
        heading(first, shown, painter);
        double width = box.width() / shown;
        for (int i = 0; i < shown; i++) {
            Box slot = new Box(box.x() + i * width, box.y() + HEADING, width - 4, HEIGHT);
            slot((first + i) % size, slot, painter);
        }
        String filler = isAvailable() ? "driver " : "device ";
        String taker = isAvailable() ? "device " : "driver ";
        boolean together = (int) index.value() == reached;
        String label = together ? "idx " : filler + "idx ";
        Pointer filled = new Pointer((int) index.value(), label, ring.isNew(index), false);
        filled.paint(this, first, shown, painter);
        if (!together) { // it is never right of the other: its label is left
            new Pointer(reached, taker + "at ", false, true).paint(this, first, shown, painter);
        }
    }

    /// As many slots as there is room for, with what is in them.
    private int shown(Painter painter) {
        int size = Math.max(1, ring.state().size());
        double widest = NARROWEST;
        for (int slot = 0; slot < Math.min(size, 256); slot++) {
            widest = Math.max(widest, painter.width(text(slot), Look.SMALL_CODE.heavy()) + 10);
        }
        return (int) Math.clamp(box.width() / widest, 1, Math.min(MOST, size));
    }

    private void heading(int first, int shown, Painter painter) {
        int size = ring.state().size();
        String heading = isAvailable() ? "available ring, the driver writes" : "used ring, the device writes";
        Box line = box.top(HEADING);
        Lettering.in(line, heading, Look.SMALL, Token.MUTED, painter);
        if (shown < size) {
            String part = "slots " + first + " to " + (first + shown - 1) % size + " of " + size;
            double left = painter.width(heading, Look.SMALL) + Look.GAP;
            Lettering.in(line.rightOf(left), part, Look.SMALL.toTheRight(), Token.MUTED, painter);
        }
    }

    private String text(int slot) {
        Cell head = isAvailable() ? ring.state().availEntry(slot) : ring.state().usedHead(slot);
        if (head.writtenBy() < 0) {
            return "·";
        }
        return isAvailable()
                ? String.valueOf(head.value())
                : head.value() + ": " + ring.state().usedLength(slot).value();
    }

    private void slot(int slot, Box at, Painter painter) {
        Cell head = isAvailable() ? ring.state().availEntry(slot) : ring.state().usedHead(slot);
        boolean filled = head.writtenBy() >= 0;
        int waiting = (int) index.value() - reached & 0xffff;
        boolean waits = Math.floorMod(slot - reached, ring.state().size()) < waiting;
        String text = text(slot);
        String id = name + "-" + slot;
        String says = name + " slot " + slot + (filled ? " holds " + text : " is empty")
                + (waits ? ", not yet taken" : "") + ".";
        painter.part(new Part(id, says, at), () -> {
            Fill fill = Fill.of(waits ? writer() : Token.PANEL).rounded(3);
            boolean selected = ring.subject().isSelected(id);
            Token edge =
                    selected ? Token.SELECTED : ring.isNew(head) ? Token.CHANGED : waits ? Token.OUTLINE : Token.RULE;
            painter.rect(at, fill.edged(edge, selected || ring.isNew(head) ? 2.4 : 1));
            Token ink = waits ? Ink.on(writer()) : filled ? Token.TEXT : Token.FAINT;
            Type type = Look.SMALL_CODE.centred();
            Lettering.in(at.inset(2, 0), text, ring.isNew(head) ? type.heavy() : type, ink, painter);
        });
    }

    /// An arrow below the slot that an index points to, which is the next one to be filled or
    /// taken.
    ///
    /// @param behind whether it is that of the side that takes
    private record Pointer(int value, String label, boolean isNew, boolean behind) {

        void paint(Slots slots, int first, int shown, Painter painter) {
            int place = Math.floorMod(value - first, slots.ring.state().size());
            if (place >= shown) {
                return;
            }
            Box box = slots.box;
            double width = box.width() / shown;
            double x = box.x() + place * width + (width - 4) / 2;
            double y = box.y() + HEADING + HEIGHT + 3;
            Token token = isNew ? Token.CHANGED : Token.TEXT;
            painter.arrowHead(x, y, -90, ARROW, token);
            String text = label + value;
            double wide = painter.width(text, isNew ? Look.SMALL.heavy() : Look.SMALL) + 0.1;
            boolean left = x + 8 + wide > box.right() || behind && x - 8 - wide >= box.x();
            boolean alone = label.equals("idx ");
            double line = behind != left && !alone ? y + 13 : y; // else it would lie on the other's arrow
            Box room = new Box(left ? x - 8 - wide : x + 8, line, wide, 14);
            Type type = left ? Look.SMALL.toTheRight() : Look.SMALL;
            String says = slots.name + ": " + text + ".";
            painter.part(
                    new Part(slots.name + (behind ? "-taken" : "-idx"), says, room),
                    () -> Lettering.in(room, text, isNew ? type.heavy() : type, token, painter));
        }
    }
}
