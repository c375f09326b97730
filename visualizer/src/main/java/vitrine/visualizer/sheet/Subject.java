package vitrine.visualizer.sheet;

import java.util.BitSet;
import java.util.Optional;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Theme;
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
/// @param manner in which it is shown
public record Subject(
        Run run,
        Optional<Run> other,
        Session session,
        double width,
        double height,
        Optional<BitSet> matching,
        Manner manner) {

    /// How a picture is shown, whatever it is of.
    ///
    /// @param scroll how many rows the reader has moved on from where a view would begin
    /// @param lecture whether what has just happened is a headline, for the back row
    public record Manner(int scroll, boolean lecture) {
        /// To a reader who has not scrolled.
        public static final Manner PLAIN = new Manner(0, false);
    }

    /// Everything matches, and nobody has scrolled.
    public Subject(Run run, Optional<Run> other, Session session, double width, double height) {
        this(run, other, session, width, height, Optional.empty(), Manner.PLAIN);
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
        return new Subject(run, other, session, width, height, Optional.of(events), manner);
    }

    /// The same in another manner.
    public Subject shown(Manner otherManner) {
        return new Subject(run, other, session, width, height, matching, otherManner);
    }

    /// The same in other room.
    public Subject within(double otherWidth, double otherHeight) {
        return new Subject(run, other, session, otherWidth, otherHeight, matching, manner);
    }

    /// The same as a theme shows it in room that is measured in pixels: what is drawn larger has
    /// less of it.
    public Subject in(Theme theme) {
        return within(width / theme.scale(), height / theme.scale())
                .shown(new Manner(manner.scroll, theme == Theme.LECTURE));
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
