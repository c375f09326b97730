package vitrine.visualizer.view;

import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.timeline.RingState.Cell;

/// The slots of one of the two rings, and where both sides have got to.
///
/// @param ring what they belong to
/// @param box room for a heading, the slots, and a line for the indexes
/// @param shown how many slots there is room for
/// @param index of the side that fills them
/// @param reached of the side that takes them out
/// @param name `avail` or `used`
record Slots(Ring ring, Box box, int shown, Cell index, int reached, String name) {

    private static final double HEADING = 20;
    private static final double HEIGHT = 26;
    private static final double ARROW = 8;

    static Slots available(Ring ring, Box box, int shown) {
        return new Slots(ring, box, shown, ring.state().availIdx(), ring.state().popped() & 0xffff, "avail");
    }

    static Slots used(Ring ring, Box box, int shown) {
        return new Slots(ring, box, shown, ring.state().usedIdx(), ring.state().reaped() & 0xffff, "used");
    }

    private boolean isAvailable() {
        return name.equals("avail");
    }

    private Token writer() {
        return isAvailable() ? Token.GUEST_KERNEL : Token.DAEMON;
    }

    void paint(Painter painter) {
        String heading = isAvailable() ? "available ring, the driver writes" : "used ring, the device writes";
        Lettering.in(box.top(HEADING), heading, Look.SMALL, Token.MUTED, painter);
        int size = ring.state().size();
        int first = shown >= size ? 0 : Math.floorMod((int) index.value() - shown / 2, size);
        double width = box.width() / shown;
        for (int i = 0; i < shown; i++) {
            Box slot = new Box(box.x() + i * width, box.y() + HEADING, width - 4, HEIGHT);
            slot((first + i) % size, slot, painter);
        }
        String filler = isAvailable() ? "driver " : "device ";
        String taker = isAvailable() ? "device " : "driver ";
        boolean together = (int) index.value() == reached;
        pointer((int) index.value(), together ? "idx " : filler + "idx ", ring.isNew(index), first, painter);
        if (!together) {
            pointer(reached, taker + "at ", false, first, painter); // never right of the other: its label is left
        }
    }

    private void slot(int slot, Box at, Painter painter) {
        Cell head = isAvailable() ? ring.state().availEntry(slot) : ring.state().usedHead(slot);
        boolean filled = head.writtenBy() >= 0;
        int waiting = (int) index.value() - reached & 0xffff;
        boolean waits = Math.floorMod(slot - reached, ring.state().size()) < waiting;
        String text = !filled
                ? "·"
                : isAvailable()
                        ? String.valueOf(head.value())
                        : head.value() + ": " + ring.state().usedLength(slot).value();
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
    private void pointer(int value, String label, boolean isNew, int first, Painter painter) {
        int size = ring.state().size();
        int place = Math.floorMod(value - first, size);
        if (place >= shown) {
            return;
        }
        double width = box.width() / shown;
        double x = box.x() + place * width + (width - 4) / 2;
        double y = box.y() + HEADING + HEIGHT + 3;
        Token token = isNew ? Token.CHANGED : Token.TEXT;
        painter.arrowHead(x, y, -90, ARROW, token);
        String text = label + value;
        double wide = painter.width(text, Look.SMALL);
        boolean taken = label.endsWith("at ");
        boolean left = x + 8 + wide > box.right() || taken && x - 8 - wide >= box.x();
        double line = taken && !left ? y + 14 : y;
        Type type = left ? Look.SMALL.toTheRight() : Look.SMALL;
        Box room = left ? new Box(x - 8 - wide, line, wide, 14) : new Box(x + 8, line, wide + 0.1, 14);
        String says = name + ": " + text + ".";
        painter.part(
                new Part(name + (taken ? "-taken" : "-idx"), says, room),
                () -> Lettering.in(room, text, isNew ? type : type, token, painter));
    }
}
