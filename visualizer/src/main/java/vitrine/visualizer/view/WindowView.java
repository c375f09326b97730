package vitrine.visualizer.view;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Ink;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.WindowState;
import vitrine.visualizer.timeline.WindowState.Piece;

/// The DAX window: which piece of which file lies in which slot. Each file has a letter.
public final class WindowView implements View {

    private static final long SLOT = 2L << 20; // what Linux maps at a time
    private static final double CELL = 58;
    private static final double HEADING = 34;
    private static final double LINE = 22;
    private static final int FILES = 6; // in the legend, before it has to scroll
    private static final long MOST_SLOTS = 4096;

    @Override
    public String name() {
        return "dax";
    }

    @Override
    public String title() {
        return "DAX window";
    }

    @Override
    public boolean folds() {
        return true;
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box inner = Captions.around(subject, painter).inset(Look.MARGIN, 8);
        WindowState window = subject.moment().state().window();
        Collection<Piece> pieces = window.pieces().values();
        Optional<Long> size = size(subject.run());
        String heading = heading(size);
        Lettering.in(inner.top(24), heading, Look.TITLE, Token.TEXT, painter);
        if (pieces.stream().anyMatch(piece -> !piece.writable())) {
            toRead(inner.top(24).rightOf(painter.width(heading, Look.TITLE) + Look.GAP), painter);
        }
        if (size.isPresent() && size.get() == 0 && pieces.isEmpty()) {
            String none = "This run has no DAX window: the guest reads and writes by requests. "
                    + "Scenarios with one are window-read, append-write and lookup-marked.";
            Lettering.paragraph(inner.below(HEADING), none, Look.BODY, Token.MUTED, painter);
            return;
        }
        List<Long> files =
                pieces.stream().map(Piece::nodeid).distinct().sorted().toList();
        double legend = LINE * Math.clamp(files.size(), 1, FILES);
        Box grid = inner.below(HEADING).top(inner.height() - HEADING - legend - 6);
        double used = slots(subject, size, files, grid, painter);
        legend(subject, files, inner.below(HEADING + used + 6).top(legend), painter);
    }

    /// What the hatch means.
    private static void toRead(Box line, Painter painter) {
        String what = "mapped to read only";
        Lettering.in(line, what, Look.SMALL.toTheRight(), Token.MUTED, painter);
        Box chip = new Box(line.right() - painter.width(what, Look.SMALL) - 20, line.middleY() - 7, 14, 14);
        painter.rect(chip, Fill.of(Token.DAX).edged(Token.OUTLINE, 1).rounded(2));
        painter.hatch(chip.below(7).inset(2, 0), Token.WHITE);
    }

    private static String heading(Optional<Long> size) {
        return size.filter(bytes -> bytes > 0)
                .map(bytes -> "DAX window of " + (bytes >> 20) + " MiB, in slots of 2 MiB")
                .orElse("DAX window, in slots of 2 MiB");
    }

    /// How large the window is; empty if nobody said so.
    private static Optional<Long> size(Run run) {
        try {
            return Optional.ofNullable(run.about().get("window"))
                    .map(Long::parseLong)
                    .filter(size -> size >= 0);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// The slots in rows, the one that was filled last among them; returns how high they are.
    private static double slots(Subject subject, Optional<Long> size, List<Long> files, Box box, Painter painter) {
        Collection<Piece> pieces = subject.moment().state().window().pieces().values();
        long seen = pieces.stream().mapToLong(piece -> slot(piece) + 1).max().orElse(0);
        int slots = (int) Math.clamp(Math.max(size.map(bytes -> bytes / SLOT).orElse(16L), seen), 1, MOST_SLOTS);
        int fitting = (int) Math.max(1, (box.width() + 5) / CELL);
        int across = slots <= fitting ? fitting : Integer.highestOneBit(fitting); // addresses are read in such rows
        long latest = pieces.stream()
                .max(Comparator.comparingInt(Piece::event))
                .map(WindowView::slot)
                .orElse(0L);
        Rows rows = Rows.of(
                (slots + across - 1) / across,
                Rows.room(box.height(), CELL),
                (int) latest / across,
                subject.manner().scroll());
        for (int slot = rows.first() * across; slot < Math.min(slots, rows.end() * across); slot++) {
            Box cell = new Box(
                    box.x() + slot % across * CELL,
                    box.y() + (slot / across - rows.first()) * CELL,
                    CELL - 5,
                    CELL - 5);
            slot(subject, Slot.of(slot, pieces, files), cell, painter);
        }
        rows.say("rows-of-slots", box.below(rows.shown() * CELL).top(LINE), painter);
        return rows.shown() * CELL + (rows.shown() < rows.all() ? LINE : 0);
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

    private static void legend(Subject subject, List<Long> files, Box box, Painter painter) {
        if (files.isEmpty()) {
            Lettering.in(box.top(LINE), "Nothing is mapped now.", Look.BODY, Token.MUTED, painter);
            return;
        }
        Rows rows = Rows.of(
                files.size(), Rows.room(box.height(), LINE), 0, subject.manner().scroll());
        for (int i = rows.first(); i < rows.end(); i++) {
            Box line = box.below((i - rows.first()) * LINE).top(LINE);
            Lettering.in(line.left(30), letterOf(i), Look.CODE.heavy(), Token.TEXT, painter);
            Lettering.in(line.rightOf(30), file(subject, files.get(i)), Look.BODY, Token.TEXT, painter);
        }
        rows.say("files", box.below(rows.shown() * LINE).top(LINE), painter);
    }

    /// A file by the name that the guest found it by, if that is still known.
    private static String file(Subject subject, long node) {
        Collection<Piece> pieces = subject.moment().state().window().pieces().values();
        long count = pieces.stream().filter(piece -> piece.nodeid() == node).count();
        String number = "node " + Long.toUnsignedString(node);
        return subject.moment().state().caches().names().entrySet().stream()
                        .filter(entry -> entry.getValue().what().equals(number))
                        .map(entry -> "\"" + entry.getKey().name() + "\", ")
                        .findFirst()
                        .orElse("")
                + number + ", " + Wording.count(count, "piece");
    }
}
