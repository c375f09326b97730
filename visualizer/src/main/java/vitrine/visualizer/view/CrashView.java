package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.HostFiles;
import vitrine.visualizer.timeline.HostFiles.Content;
import vitrine.visualizer.timeline.HostFiles.State;

/// What would be left if the guest died now: the host's file, byte by byte, and below it a slider
/// over all moments. Where a system call has been done by half, the slider is hatched.
public final class CrashView implements View {

    private static final double HEADING = 28;
    private static final double SENTENCE = 26;
    private static final double LINE = 22;
    private static final int ACROSS = 16; // bytes
    private static final double OFFSET = 44;
    private static final double CELL = 46;
    private static final double ROW = 26;

    /// A byte of the file's picture.
    ///
    /// @param value -1 for one that is not there yet
    private record Seen(int offset, int value, boolean isNew) {

        String text() {
            return value == '\n' ? "\\n" : value > ' ' && value < 127 ? String.valueOf((char) value) : hex();
        }

        private String hex() {
            return value == ' ' ? "·" : "%02x".formatted(value);
        }

        String says() {
            String what = value < 0 ? "not there now" : value == 0 ? "zero" : "0x" + "%02x".formatted(value);
            return "Byte " + offset + ": " + what + (isNew ? ", by this step." : ".");
        }
    }

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public String title() {
        return "Crash";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box inner = Captions.around(subject, painter).inset(Look.MARGIN, 8);
        Lettering.in(inner.top(24), "what is on the host if the guest dies here", Look.TITLE, Token.TEXT, painter);
        if (subject.run().hostFiles().isUnseen()) {
            String none = "Nobody has looked at the host's files: a capture has no file data. Scenarios have, "
                    + "append-room-first and append-write for example.";
            Lettering.paragraph(inner.below(HEADING + 6), none, Look.BODY, Token.MUTED, painter);
            return;
        }
        Box line = inner.below(HEADING).top(SENTENCE - 4);
        String sentence = sentence(subject);
        painter.part(
                new Part("progress", sentence, line),
                () -> Lettering.in(line, sentence, Look.BODY.heavy(), Token.TEXT, painter));
        double lower = lower(subject);
        Box upper = inner.below(HEADING + SENTENCE).top(inner.height() - HEADING - SENTENCE - lower);
        file(subject, upper, painter);
        Box tracks = inner.below(inner.height() - lower);
        String letter = subject.other().isEmpty() ? "" : "A  ";
        new CrashSlider(subject, subject.run(), letter, tracks.top(CrashSlider.HEIGHT)).paint(painter);
        Box below = tracks.below(CrashSlider.HEIGHT).top(CrashSlider.HEIGHT);
        subject.other().ifPresent(run -> new CrashSlider(subject, run, "B  ", below).paint(painter));
        legend(tracks.below(lower - LINE), painter);
    }

    private static String sentence(Subject subject) {
        int position = subject.session().position();
        int entered = HostFiles.callUnderWay(subject.run(), position);
        String call = entered < 0 ? "" : subject.run().name(entered);
        return switch (subject.run().hostFiles().progress(subject.run(), position)) {
            case IDLE -> "No system call is under way.";
            case HARMLESS -> call + " is under way, and changes no file.";
            case NOT_YET -> call + " is under way: nothing of it is there yet.";
            case DONE -> call + " is under way: all of it is there already.";
            case HALF_DONE -> "Half done: neither the file before " + call + " nor the one after it.";
        };
    }

    /// The bytes of the file that has changed last, and room for those that it will have.
    private static void file(Subject subject, Box box, Painter painter) {
        HostFiles files = subject.run().hostFiles();
        int position = subject.session().position();
        Optional<String> name = files.changedLast(position);
        if (name.isEmpty()) {
            Lettering.in(box.top(LINE), "There is no file in the share.", Look.BODY, Token.MUTED, painter);
            return;
        }
        Optional<Content> now = files.at(position).map(State::files).map(all -> all.get(name.get()));
        Lettering.in(box.top(LINE), heading(name.get(), now), Look.CODE.heavy(), Token.TEXT, painter);
        List<Seen> bytes = bytes(subject, name.get());
        Box grid = box.below(LINE + 4);
        int latest =
                bytes.stream().filter(Seen::isNew).mapToInt(Seen::offset).max().orElse(0);
        Rows rows = Rows.of(
                (bytes.size() + ACROSS - 1) / ACROSS,
                Rows.room(grid.height(), ROW),
                latest / ACROSS,
                subject.manner().scroll());
        double cell = Math.min(CELL, (grid.width() - OFFSET) / ACROSS);
        for (int row = rows.first(); row < rows.end(); row++) {
            Box line = grid.below((row - rows.first()) * ROW).top(ROW - 3);
            String offset = "%04x".formatted(row * ACROSS);
            Lettering.in(line.left(OFFSET), offset, Look.SMALL_CODE, Token.MUTED, painter);
            for (int i = row * ACROSS; i < Math.min(bytes.size(), (row + 1) * ACROSS); i++) {
                double x = line.x() + OFFSET + i % ACROSS * cell;
                cell(subject, bytes.get(i), new Box(x, line.y(), cell - 3, line.height()), painter);
            }
        }
        rows.say("bytes", grid.below(rows.shown() * ROW).top(ROW), painter);
    }

    static String heading(String name, Optional<Content> now) {
        if (now.isEmpty()) {
            return name + ": is not there";
        }
        byte[] bytes = now.get().bytes().toArray();
        int zeros = 0;
        while (zeros < bytes.length && bytes[bytes.length - 1 - zeros] == 0) {
            zeros++;
        }
        boolean all = bytes.length == now.get().size();
        String tail =
                zeros == 0 || !all ? "" : zeros == bytes.length ? ", all zeros" : ", the last " + zeros + " zeros";
        String most = all ? "" : ", the first " + bytes.length + " of them";
        return name + ": " + Wording.bytes(now.get().size()) + tail + (bytes.length == 0 ? "" : most);
    }

    /// As many as the file has at its longest, as far as they were kept.
    private static List<Seen> bytes(Subject subject, String name) {
        HostFiles files = subject.run().hostFiles();
        int position = subject.session().position();
        int longest = files.states().stream()
                .mapToInt(state -> bytes(state, name).length)
                .max()
                .orElse(0);
        byte[] now = files.at(position).map(state -> bytes(state, name)).orElse(new byte[0]);
        int since = Math.min(position, subject.moment().changesSince());
        byte[] before = files.at(since).map(state -> bytes(state, name)).orElse(now);
        return IntStream.range(0, longest)
                .mapToObj(i -> new Seen(i, at(now, i), at(now, i) != at(before, i)))
                .toList();
    }

    private static byte[] bytes(State state, String name) {
        Content content = state.files().get(name);
        return content == null ? new byte[0] : content.bytes().toArray();
    }

    private static int at(byte[] bytes, int i) {
        return i < bytes.length ? bytes[i] & 0xff : -1;
    }

    private static void cell(Subject subject, Seen shown, Box box, Painter painter) {
        String id = "byte-" + shown.offset;
        painter.part(new Part(id, shown.says(), box), () -> {
            boolean selected = subject.isSelected(id);
            Token edge = selected ? Token.SELECTED : shown.isNew ? Token.CHANGED : Token.RULE;
            Fill fill = shown.value < 0 ? Fill.edge(edge).inDashes() : Fill.of(Token.PANEL);
            painter.rect(
                    box, fill.edged(edge, selected || shown.isNew ? 2.4 : 1).rounded(3));
            if (shown.value == 0) {
                painter.hatch(box.inset(2), Token.MUTED);
            } else if (shown.value > 0) {
                Lettering.in(box, shown.text(), Look.SMALL_CODE.centred(), Token.TEXT, painter);
            }
        });
    }

    private static void legend(Box box, Painter painter) {
        List<Box> boxes = new ArrayList<>();
        double x = box.x();
        for (String what : List.of("zero", "not there", "half done", "numbers: bytes of the file")) {
            boolean isChip = !what.startsWith("numbers");
            Box chip = new Box(x, box.middleY() - 7, isChip ? 14 : 0, 14);
            boxes.add(chip);
            double wide = painter.width(what, Look.SMALL) + 0.1;
            double text = isChip ? x + 20 : x;
            Lettering.in(
                    new Box(text, box.y(), Math.min(wide, box.right() - text), LINE),
                    what,
                    Look.SMALL,
                    Token.MUTED,
                    painter);
            x = text + wide + Look.MARGIN;
        }
        painter.rect(boxes.get(0), Fill.of(Token.PANEL).edged(Token.RULE, 1).rounded(2));
        painter.hatch(boxes.get(0).inset(2), Token.MUTED);
        painter.rect(boxes.get(1), Fill.edge(Token.RULE).inDashes().rounded(2));
        painter.rect(boxes.get(2), Fill.of(Token.DAEMON).edged(Token.OUTLINE, 1).rounded(2));
        painter.hatch(boxes.get(2).inset(1), Token.OUTLINE);
    }

    /// Whoever presses on the slider goes there.
    @Override
    public OptionalInt moment(Subject subject, double x, double y) {
        if (subject.run().hostFiles().isUnseen()) {
            return OptionalInt.empty();
        }
        Box inner = Captions.room(subject).inset(Look.MARGIN, 8);
        Box slider = inner.below(inner.height() - lower(subject)).top(CrashSlider.HEIGHT);
        return new CrashSlider(subject, subject.run(), "", slider).moment(x, y);
    }

    /// How high sliders and legend are.
    private static double lower(Subject subject) {
        return CrashSlider.HEIGHT * (subject.other().isEmpty() ? 1 : 2) + LINE;
    }
}
