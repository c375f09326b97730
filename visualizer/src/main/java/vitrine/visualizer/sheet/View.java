package vitrine.visualizer.sheet;

import java.util.List;
import java.util.OptionalInt;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.RecordingPainter;

/// A way to look at a run.
public interface View {

    /// Its name in links, such as `rings`.
    String name();

    /// Its name for people, such as `Rings`.
    String title();

    /// The least room in which it says what it has to say; where there is less, it is shown in
    /// parts.
    default Box least() {
        return new Box(0, 0, 520, 380);
    }

    /// Draws it. The same subject gives the same strokes, always.
    void paint(Subject subject, Painter painter);

    /// Whether it shows a state, for which everything before has to be gone through.
    default boolean folds() {
        return false;
    }

    /// The moment that a point of the picture stands for, as a position in the run: where a press
    /// goes, or a drag. Empty where a point is just a point.
    default OptionalInt moment(Subject subject, double x, double y) {
        return OptionalInt.empty();
    }

    /// The named parts of the picture, in the order of the drawing: what Tab walks along, and what
    /// a click hits.
    default List<Part> parts(Subject subject) {
        RecordingPainter recorder = new RecordingPainter();
        paint(subject, recorder);
        return recorder.parts();
    }
}
