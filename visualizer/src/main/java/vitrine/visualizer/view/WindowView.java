package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.timeline.WindowState.Piece;

/// The DAX window: which piece of which file lies in which slot. Each file has a letter.
public final class WindowView implements View {

    private static final long SLOT = 2L << 20; // what Linux maps at a time
    private static final double CAPTION = 46;
    private static final double CELL = 58;
    private static final long MOST_SLOTS = 4096;

    @Override
    public String name() {
        return "window";
    }

    @Override
    public String title() {
        return "DAX window";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box area = subject.area();
        Box inner = new Box(Look.MARGIN, 8, area.width() - 2 * Look.MARGIN, area.height() - CAPTION - 8);
        Collection<Piece> pieces = subject.moment().state().window().pieces().values();
        Lettering.in(inner.top(24), "DAX window, slots of 2 MiB", Look.TITLE, Token.TEXT, painter);
        List<Long> files =
                pieces.stream().map(Piece::nodeid).distinct().sorted().toList();
        int across = (int) Math.max(1, inner.width() / CELL);
        long slots = Math.max(
                32, pieces.stream().mapToLong(piece -> slot(piece) + 1).max().orElse(0));
        int rows = (int) Math.max(1, (inner.height() - 40 - 22.0 * Math.min(6, files.size())) / CELL);
        int shown = (int) Math.min(slots, (long) across * rows);
        for (int slot = 0; slot < shown; slot++) {
            Box cell = new Box(
                    inner.x() + slot % across * CELL, inner.y() + 34 + slot / across * CELL, CELL - 5, CELL - 5);
            slot(subject, Slot.of(slot, pieces, files), cell, painter);
        }
        double below = 34 + Math.ceil((double) shown / across) * CELL + 6;
        legend(pieces, files, inner.below(below), painter);
        Captions.paint(subject, area.below(area.height() - CAPTION), painter);
    }

    /// How many slots there are, if somebody said so; else a row of them.
    private static long size(Subject subject) {
        try {
            return Math.clamp(Long.parseLong(subject.run().about().getOrDefault("window", "0")) / SLOT, 16, MOST_SLOTS);
        } catch (NumberFormatException _) {
            return 16;
        }
    }

    private static long slot(Piece piece) {
        return Math.clamp(Long.divideUnsigned(piece.window(), SLOT), 0, MOST_SLOTS);
    }

    /// @param number counts from 0
    /// @param piece what lies in it, null for nothing
    private record Slot(int number, Piece piece, String letter) {

        static Slot of(int number, Collection<Piece> pieces, List<Long> files) {
            return pieces.stream()
                    .filter(piece ->
                            piece.window() < (number + 1) * SLOT && piece.window() + piece.length() > number * SLOT)
                    .findFirst()
                    .map(piece -> new Slot(number, piece, letterOf(files.indexOf(piece.nodeid()))))
                    .orElse(new Slot(number, null, ""));
        }
    }

    private static void slot(Subject subject, Slot slot, Box at, Painter painter) {
        Piece piece = slot.piece();
        String id = "slot-" + slot.number();
        String says = piece == null
                ? "Slot " + slot.number() + " is free."
                : "Slot " + slot.number() + ": file " + slot.letter() + " from byte " + piece.offset()
                        + (piece.writable() ? ", to read and write." : ", to read.");
        painter.part(new Part(id, says, at), () -> {
            Token body = piece == null ? Token.PANEL : Token.DAX;
            boolean isNew = piece != null && piece.event() >= subject.moment().changesSince();
            Token edge = subject.isSelected(id)
                    ? Token.SELECTED
                    : isNew ? Token.CHANGED : piece == null ? Token.RULE : Token.OUTLINE;
            painter.rect(
                    at,
                    Fill.of(body)
                            .edged(edge, isNew || subject.isSelected(id) ? 2.6 : 1)
                            .rounded(Look.CORNER));
            if (piece != null && !piece.writable()) {
                painter.hatch(at.below(at.height() - 7).inset(2, 0), Token.WHITE);
            }
            Lettering.in(at.top(at.height() * 0.62), slot.letter(), Look.TITLE.centred(), Ink.on(body), painter);
            if (piece != null) {
                String offset = "@" + (piece.offset() >> 20) + " MiB";
                Box below = at.below(at.height() * 0.5).top(18);
                Lettering.in(below, offset, Look.SMALL.centred(), Ink.on(body), painter);
            }
        });
    }

    /// A to Z, then AA and so on, as columns of a spreadsheet are called.
    private static String letterOf(int file) {
        String last = String.valueOf((char) ('A' + file % 26));
        return file < 26 ? last : letterOf(file / 26 - 1) + last;
    }

    private static void legend(Collection<Piece> pieces, List<Long> files, Box box, Painter painter) {
        if (files.isEmpty()) {
            Lettering.in(box.top(22), "Nothing is mapped.", Look.BODY, Token.MUTED, painter);
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            long node = files.get(i);
            long count = pieces.stream().filter(piece -> piece.nodeid() == node).count();
            lines.add(letterOf(i) + "  node " + Long.toUnsignedString(node) + ", " + Wording.count(count, "piece"));
        }
        for (int i = 0; i < lines.size() && (i + 1) * 22 <= box.height(); i++) {
            Lettering.in(box.below(i * 22).top(22), lines.get(i), Look.CODE, Token.TEXT, painter);
        }
    }
}
