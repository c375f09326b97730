package vitrine.visualizer.view;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.timeline.RingState.Cell;

/// The descriptors of a queue, a row each, and beside them the chains that they form. Where not all
/// have room, those of chains and those that have just been written come first.
///
/// @param chains those on their way
/// @param columns which there are, from left to right
record RingTable(Ring ring, List<Chain> chains, List<Column> columns) {

    private static final double ROW = 22;
    private static final double LOWEST_ROW = 17;
    private static final double CONTENTS = 150; // beside the table
    private static final int NEXT = 1;
    private static final int AVAIL = 1 << 7;
    private static final int USED = 1 << 15;

    /// A column, and the room it takes.
    private enum Column {
        NUMBER("#", 38),
        ADDRESS("addr", 92),
        LENGTH("len", 56),
        FLAGS("flags", 86),
        NEXT("next", 46),
        ID("id", 42),
        BITS("avail used", 68);

        private final String title;
        private final double width;

        Column(String title, double width) {
            this.title = title;
            this.width = width;
        }
    }

    /// @param width how much room there is for table and chains
    static RingTable of(Ring ring, double width) {
        List<Column> columns = ring.state().isPacked()
                ? List.of(Column.NUMBER, Column.ADDRESS, Column.LENGTH, Column.ID, Column.FLAGS, Column.BITS)
                : List.of(Column.NUMBER, Column.ADDRESS, Column.LENGTH, Column.FLAGS, Column.NEXT);
        boolean isNarrow = columns.stream().mapToDouble(column -> column.width).sum() + CONTENTS > width;
        List<Column> shown = columns.stream()
                .filter(column -> !isNarrow || column != Column.ADDRESS)
                .toList();
        return new RingTable(ring, ring.chains(), shown);
    }

    /// How high it is if all of it is shown.
    static double height(Ring ring) {
        int rows = ring.state().isSeen()
                ? ring.state().size()
                : Math.max(1, ring.state().flying().size()) + 4; // and why there is no more
        return ROW * (1 + rows);
    }

    private double width() {
        return columns.stream().mapToDouble(column -> column.width).sum();
    }

    void paint(Box box, Painter painter) {
        if (!ring.state().isSeen()) {
            withoutMemory(box, painter);
            return;
        }
        double x = box.x();
        for (Column column : columns) {
            Box cell = new Box(x + 8, box.y(), column.width - 8, ROW - 2);
            Lettering.in(cell, column.title, Look.SMALL, Token.MUTED, painter);
            x += column.width;
        }
        int size = ring.state().size();
        Box rest = box.below(ROW);
        double height = Math.clamp(rest.height() / Math.max(1, size), LOWEST_ROW, ROW);
        Rows rows = Rows.of(
                size,
                Rows.room(rest.height(), height),
                0,
                ring.subject().manner().scroll());
        List<Integer> order = order(rows.shown() < size);
        List<Integer> shown = order.subList(rows.first(), rows.end());
        Set<Integer> inUse =
                chains.stream().flatMap(chain -> chain.descriptors().stream()).collect(Collectors.toSet());
        for (int row = 0; row < shown.size(); row++) {
            Box place = new Box(rest.x(), rest.y() + height * row, width(), height - 2);
            descriptor(shown.get(row), inUse.contains(shown.get(row)), place, painter);
        }
        rows.say("descriptors", rest.below(height * rows.shown()).top(height).left(width()), painter);
        boolean isAnyDone = shown.stream()
                .anyMatch(index -> !inUse.contains(index) && written(index).writtenBy() >= 0);
        if (isAnyDone) {
            Box head = box.top(ROW - 2).rightOf(width() + 8);
            Lettering.in(head, "pale: done, free again", Look.SMALL, Token.FAINT, painter);
        }
        Box beside = new Box(rest.x() + width(), rest.y(), rest.width() - width(), height);
        for (int i = 0; i < chains.size(); i++) {
            chains.get(i).bracket(shown, beside, i, chains.size(), painter);
        }
    }

    /// Of a real guest's ring nobody sees the descriptors: only which chains there are.
    private void withoutMemory(Box box, Painter painter) {
        Lettering.in(box.top(ROW), "chains on their way", Look.SMALL, Token.MUTED, painter);
        String why = (ring.subject().run().isOfADaemon() ? "Kicks, descriptors" : "Descriptors")
                + " and the available and used rings are not seen from here: the trace has the chains that the "
                + "daemon took and gave back, not what the driver stored in memory.";
        double note = Lettering.height(why, Look.SMALL, box.width());
        Box rest = box.below(ROW);
        Rows rows = Rows.of(
                chains.size(),
                Rows.room(rest.height() - note, ROW),
                0,
                ring.subject().manner().scroll());
        for (int row = rows.first(); row < rows.end(); row++) {
            chains.get(row).line(rest.below(ROW * (row - rows.first())).top(ROW - 2), painter);
        }
        rows.say("chains", rest.below(ROW * rows.shown()).top(ROW), painter);
        if (chains.isEmpty()) {
            Lettering.in(rest.top(ROW), "none: the queue is empty", Look.BODY, Token.MUTED, painter);
        }
        Box below = rest.below(ROW * (Math.max(1, rows.shown()) + 1));
        if (below.height() >= note) {
            painter.part(
                    new Part("unseen", why, below),
                    () -> Lettering.paragraph(below, why, Look.SMALL, Token.MUTED, painter));
        }
    }

    private List<Integer> order(boolean chainsFirst) {
        LinkedHashSet<Integer> order = new LinkedHashSet<>();
        List<Integer> all = IntStream.range(0, ring.state().size()).boxed().toList();
        if (chainsFirst) {
            chains.forEach(chain -> order.addAll(chain.descriptors()));
            all.stream().filter(index -> ring.isNew(written(index))).forEach(order::add);
        }
        order.addAll(all);
        return List.copyOf(order);
    }

    /// The field of a descriptor that is written last.
    private Cell written(int index) {
        return ring.state().descriptor(index, ring.state().isPacked() ? 14 : 0);
    }

    private void descriptor(int index, boolean inUse, Box box, Painter painter) {
        Cell address = ring.state().descriptor(index, 0);
        long length = ring.state().descriptor(index, 8).value();
        boolean isFree = !inUse && written(index).writtenBy() < 0;
        String says = isFree
                ? "Descriptor " + index + " is free."
                : "Descriptor " + index + (inUse ? ": " : ", free again; it was ") + length + " bytes at 0x"
                        + Long.toHexString(address.value()) + ", "
                        + flags(index).replace('|', ' ') + ".";
        String id = "desc-" + index;
        painter.part(new Part(id, says, box), () -> {
            painter.rect(
                    box, Ring.frame(ring.isNew(written(index)), ring.subject().isSelected(id)));
            Token ink = inUse ? Token.TEXT : Token.FAINT;
            double x = box.x();
            for (Column column : columns) {
                Box cell = new Box(x + 8, box.y(), column.width - 10, box.height());
                String text = column == Column.NUMBER ? "" + index : isFree ? "" : text(column, index);
                Lettering.in(cell, text, Look.SMALL_CODE, ink, painter);
                x += column.width;
            }
            if (isFree) {
                Box cell = box.rightOf(Column.NUMBER.width + 8);
                Lettering.in(cell, "free", Look.SMALL_CODE, ink, painter);
            }
        });
    }

    private String text(Column column, int index) {
        return switch (column) {
            case NUMBER -> String.valueOf(index);
            case ADDRESS -> hex(ring.state().descriptor(index, 0).value());
            case LENGTH -> String.valueOf(ring.state().descriptor(index, 8).value());
            case FLAGS -> flags(index);
            case NEXT ->
                (bits(index) & NEXT) == 0
                        ? "-"
                        : String.valueOf(ring.state().descriptor(index, 14).value());
            case ID -> String.valueOf(ring.state().descriptor(index, 12).value());
            case BITS -> ((bits(index) & AVAIL) != 0 ? "1" : "0") + "     " + ((bits(index) & USED) != 0 ? "1" : "0");
        };
    }

    private long bits(int index) {
        return ring.state().descriptor(index, ring.state().isPacked() ? 14 : 12).value();
    }

    private static String hex(long address) {
        String digits = Long.toHexString(address);
        return "0x" + (digits.length() > 4 ? digits.replaceFirst("(.{4})$", "_$1") : digits);
    }

    private String flags(int index) {
        StringBuilder names = new StringBuilder();
        String[] known = {"NEXT", "WRITE", "INDIRECT"};
        for (int i = 0; i < known.length; i++) {
            if ((bits(index) & 1L << i) != 0) {
                names.append(names.isEmpty() ? "" : "|").append(known[i]);
            }
        }
        return names.isEmpty() ? "-" : names.toString();
    }
}
