package vitrine.visualizer.view;

import java.util.BitSet;
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
/// @param matching the events that the filter lets through; empty for all. Who draws often finds
///     them out in the background, so they are not found out here
public record Subject(
        Run run, Optional<Run> other, Session session, double width, double height, Optional<BitSet> matching) {

    /// Everything matches.
    public Subject(Run run, Optional<Run> other, Session session, double width, double height) {
        this(run, other, session, width, height, Optional.empty());
    }

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

    /// The same with only some events that the filter lets through.
    public Subject matching(BitSet events) {
        return new Subject(run, other, session, width, height, Optional.of(events));
    }

    /// Whether the filter lets an event through.
    public boolean matches(int event) {
        return matching.isEmpty() || matching.get().get(event);
    }

    /// Whether the part with this id is selected.
    public boolean isSelected(String part) {
        return session.selection().equals(part);
    }
}
