package vitrine.visualizer.paint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Draws nothing, and remembers what was to be drawn: for tests, for clicks, for screen readers.
public final class RecordingPainter implements Painter {

    private final List<Part> parts = new ArrayList<>();
    private final List<Written> texts = new ArrayList<>();
    private final List<Box> boxes = new ArrayList<>();
    private final Deque<String> around = new ArrayDeque<>();
    private int calls;

    /// A text as it was drawn.
    ///
    /// @param part the id of the innermost part around it; empty for none
    /// @param box what it covers
    public record Written(String part, String text, Box box, Type type, Token token) {}

    /// All parts, in the order in which they were drawn.
    public List<Part> parts() {
        return List.copyOf(parts);
    }

    /// All texts, likewise.
    public List<Written> texts() {
        return List.copyOf(texts);
    }

    /// All rectangles, likewise.
    public List<Box> boxes() {
        return List.copyOf(boxes);
    }

    /// How many primitive calls it took.
    public int calls() {
        return calls;
    }

    /// The part with this id.
    public Optional<Part> part(String id) {
        return parts.stream().filter(part -> part.id().equals(id)).findFirst();
    }

    /// The innermost part at a point: the last one drawn there.
    public Optional<Part> at(double x, double y) {
        return parts.reversed().stream()
                .filter(part -> part.box().contains(x, y))
                .findFirst();
    }

    /// All that is written in a part, from one blank to the next.
    public String textOf(String id) {
        return String.join(
                " ",
                texts.stream()
                        .filter(written -> written.part().equals(id))
                        .map(Written::text)
                        .toList());
    }

    @Override
    public void rect(Box box, Fill fill) {
        calls++;
        boxes.add(box);
    }

    @Override
    public void hatch(Box box, Token token) {
        calls++;
    }

    @Override
    public void line(double fromX, double fromY, double toX, double toY, Pen pen) {
        calls++;
    }

    @Override
    public void arrowHead(double x, double y, double degrees, double size, Token token) {
        calls++;
    }

    @Override
    public void text(String text, double x, double y, Type type, Token token) {
        calls++;
        double wide = width(text, type);
        Box box = new Box(type.start(x, wide), y - type.size() * 0.8, wide, type.size());
        texts.add(new Written(around.isEmpty() ? "" : around.peek(), text, box, type, token));
    }

    @Override
    public void part(Part part, Runnable content) {
        parts.add(part);
        around.push(part.id());
        content.run();
        around.pop();
    }
}
