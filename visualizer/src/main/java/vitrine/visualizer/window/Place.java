package vitrine.visualizer.window;

import java.util.Optional;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;

/// What the reader looks at, as a value: undo is the place before.
///
/// @param shown the run, and its name in links; empty on the start page
/// @param other the run to compare it with
/// @param view the name of the view
/// @param session where in the run
record Place(Optional<Shown> shown, Optional<Shown> other, String view, Session session) {

    /// Where everybody begins.
    static final Place START_PAGE = new Place(Optional.empty(), Optional.empty(), "path", Session.START);

    /// A run and what it is called.
    record Shown(String name, Run run) {}

    Place with(Session moved) {
        return new Place(shown, other, view, moved);
    }

    Place looking(String through) {
        return new Place(shown, other, through, session);
    }

    Place beside(Optional<Shown> compared) {
        return new Place(shown, compared, view, session);
    }
}
