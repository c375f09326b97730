package vitrine.visualizer.view;

import java.util.Optional;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.timeline.Moment;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;

/// What is to be drawn, and how much room there is.
///
/// @param run what happened
/// @param other the run to compare it with
/// @param session where the reader is
/// @param width of the picture, in units of the painter
/// @param height likewise
public record Subject(Run run, Optional<Run> other, Session session, double width, double height) {

    /// One run, nothing to compare it with.
    public static Subject of(Run run, Session session, double width, double height) {
        return new Subject(run, Optional.empty(), session, width, height);
    }

    /// The moment the reader is at.
    public Moment moment() {
        return run.at(session.position());
    }

    /// All the room.
    public Box area() {
        return new Box(0, 0, width, height);
    }

    /// Whether the part with this id is selected.
    public boolean isSelected(String part) {
        return session.selection().equals(part);
    }
}
