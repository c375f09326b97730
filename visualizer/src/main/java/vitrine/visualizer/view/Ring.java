package vitrine.visualizer.view;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import vitrine.trace.TraceEvent.Signal;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.timeline.RingState;
import vitrine.visualizer.timeline.RingState.Cell;

/// One queue of a [RingsView].
///
/// @param changedSince cells written by this event or a later one are new
record Ring(Subject subject, int queue, RingState state, int changedSince) {

    private static final double ROW = 22;
    private static final int NEXT = 1;
    private static final double SLOT_ROW = 76;
    private static final double LOWEST_ROW = 17;

    boolean isNew(Cell cell) {
        return cell.writtenBy() >= changedSince && cell.writtenBy() >= 0;
    }

    void descriptors(Box box, Painter painter) {
        List<Chain> chains = state.flying().values().stream()
                .map(flying -> Chain.of(subject.run(), state, flying))
                .toList();
        double table = Math.min(420, box.width() * 0.62);
        heading(box, table, painter);
        double height = Math.clamp((box.height() - ROW) / Math.max(1, state.size()), LOWEST_ROW, ROW);
        List<Integer> rows = rows((int) ((box.height() - ROW + 0.1) / height), chains);
        for (int row = 0; row < rows.size(); row++) {
            Box place = new Box(box.x(), box.y() + ROW + height * row, table, height - 2);
            descriptor(rows.get(row), place, painter);
        }
        Box beside = new Box(box.x() + table, box.y() + ROW, box.width() - table, height);
        for (int i = 0; i < chains.size(); i++) {
            chains.get(i).bracket(rows, beside, i, painter);
        }
        if (!state.isSeen()) {
            String why = chains.isEmpty() ? "No chain is on its way." : "";
            Lettering.in(box.below(ROW).top(ROW), why, Look.BODY, Token.MUTED, painter);
        }
    }

    /// All descriptors if there is room; else those in chains, and the new ones.
    private List<Integer> rows(int room, List<Chain> chains) {
        if (state.size() > 0 && state.size() <= room) {
            return IntStream.range(0, state.size()).boxed().toList();
        }
        TreeSet<Integer> wanted = new TreeSet<>();
        chains.forEach(chain -> wanted.addAll(chain.descriptors()));
        IntStream.range(0, state.size())
                .filter(index -> isNew(state.descriptor(index, 0)))
                .forEach(wanted::add);
        for (int index = 0; index < state.size() && wanted.size() < room; index++) {
            wanted.add(index);
        }
        return wanted.stream().limit(Math.max(1, room)).toList();
    }

    private static final double[] COLUMNS = {0, 0.09, 0.41, 0.56, 0.88};

    private static void heading(Box box, double table, Painter painter) {
        String[] names = {"#", "addr", "len", "flags", "next"};
        for (int i = 0; i < names.length; i++) {
            Box cell = new Box(box.x() + COLUMNS[i] * table + 8, box.y(), table * 0.14, ROW - 2);
            Lettering.in(cell, names[i], Look.SMALL, Token.MUTED, painter);
        }
    }

    private void descriptor(int index, Box box, Painter painter) {
        Cell address = state.descriptor(index, 0);
        long flags = state.descriptor(index, 12).value();
        boolean inUse = state.flying().values().stream()
                .anyMatch(flying ->
                        Chain.of(subject.run(), state, flying).descriptors().contains(index));
        String says = "Descriptor " + index + (inUse ? ": " : ", free; it was ")
                + state.descriptor(index, 8).value() + " bytes at 0x" + Long.toHexString(address.value()) + ".";
        String id = "desc-" + index;
        painter.part(new Part(id, says, box), () -> {
            painter.rect(box, frame(isNew(address), subject.isSelected(id)));
            Token ink = inUse ? Token.TEXT : Token.FAINT;
            Token number = inUse ? Token.TEXT : Token.MUTED;
            cell(box, 0, String.valueOf(index), number, painter);
            if (address.value() == 0 && flags == 0 && !inUse) {
                cell(box, 1, "free", ink, painter);
                return;
            }
            cell(box, 1, hex(address.value()), ink, painter);
            cell(box, 2, String.valueOf(state.descriptor(index, 8).value()), ink, painter);
            cell(box, 3, flags(flags), ink, painter);
            String next = (flags & NEXT) == 0
                    ? "-"
                    : String.valueOf(state.descriptor(index, 14).value());
            cell(box, 4, next, ink, painter);
        });
    }

    private static void cell(Box row, int column, String text, Token ink, Painter painter) {
        double end = column + 1 < COLUMNS.length ? COLUMNS[column + 1] : 1;
        Box cell = new Box(
                row.x() + COLUMNS[column] * row.width() + 8,
                row.y(),
                (end - COLUMNS[column]) * row.width() - 10,
                row.height());
        Lettering.in(cell, text, Look.SMALL_CODE, ink, painter);
    }

    static Fill frame(boolean isNew, boolean isSelected) {
        Fill fill = Fill.of(Token.PANEL).rounded(3);
        if (isSelected) {
            return fill.edged(Token.SELECTED, 2.4);
        }
        return isNew ? fill.edged(Token.CHANGED, 2) : fill.edged(Token.RULE, 1);
    }

    private static String hex(long address) {
        String digits = Long.toHexString(address);
        return "0x" + (digits.length() > 4 ? digits.replaceFirst("(.{4})$", "_$1") : digits);
    }

    private static String flags(long flags) {
        StringBuilder names = new StringBuilder();
        String[] known = {"NEXT", "WRITE", "INDIRECT"};
        for (int i = 0; i < known.length; i++) {
            if ((flags & 1L << i) != 0) {
                names.append(names.isEmpty() ? "" : "|").append(known[i]);
            }
        }
        return names.isEmpty() ? "-" : names.toString();
    }

    /// Both rings, a row each: the slots, and below them where either side has got to.
    void slots(Box box, Painter painter) {
        int shown = (int) Math.clamp(box.width() / 44, 4, Math.min(16, state.size()));
        Slots.available(this, box.top(SLOT_ROW), shown).paint(painter);
        Slots.used(this, box.below(SLOT_ROW).top(SLOT_ROW), shown).paint(painter);
    }

    void notifications(Box box, Painter painter) {
        String[][] rows = {
            {"kicks", String.valueOf(state.count(Signal.KICK)), "signal-KICK"},
            {"kicks spared", String.valueOf(state.count(Signal.KICK_SUPPRESSED)), "signal-KICK_SUPPRESSED"},
            {"calls", String.valueOf(state.count(Signal.CALL)), "signal-CALL"},
            {"calls spared", String.valueOf(state.count(Signal.CALL_SUPPRESSED)), "signal-CALL_SUPPRESSED"},
        };
        Lettering.in(box.top(ROW - 2), "notifications", Look.SMALL, Token.MUTED, painter);
        double y = box.y() + ROW;
        for (String[] row : rows) {
            Signal signal = Signal.valueOf(row[2].substring(7));
            boolean isNew = state.last(signal) >= Math.max(0, changedSince);
            line(new Box(box.x(), y, box.width(), ROW - 2), row, isNew, painter);
            y += ROW;
        }
        if (!state.isSeen()) {
            return;
        }
        y += 8;
        Lettering.in(new Box(box.x(), y, box.width(), ROW - 2), "wishes", Look.SMALL, Token.MUTED, painter);
        y += ROW;
        Object[][] wishes = {
            {"avail_event", state.availEvent(), "the device wants a kick when available entry %d is filled"},
            {"used_event", state.usedEvent(), "the driver wants a call when used entry %d is filled"},
            {"avail.flags", state.availFlags(), "the driver's flags are %d (1: no calls, please)"},
            {"used.flags", state.usedFlags(), "the device's flags are %d (1: no kicks, please)"}
        };
        for (Object[] wish : wishes) {
            Cell cell = (Cell) wish[1];
            String[] row = {(String) wish[0], String.valueOf(cell.value()), "field-" + wish[0]};
            line(new Box(box.x(), y, box.width(), ROW - 2), row, isNew(cell), painter);
            y += ROW;
        }
    }

    private void line(Box box, String[] row, boolean isNew, Painter painter) {
        painter.part(new Part(row[2], row[0] + ": " + row[1], box), () -> {
            painter.rect(box, frame(isNew, subject.isSelected(row[2])));
            Lettering.in(box.inset(8, 0), row[0], Look.SMALL, Token.TEXT, painter);
            Type number = Look.SMALL_CODE.toTheRight();
            Lettering.in(box.inset(8, 0), row[1], isNew ? number.heavy() : number, Token.TEXT, painter);
        });
    }
}
