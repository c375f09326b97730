package vitrine.visualizer.timeline;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Where the reader is and what they have marked: a value, so that undo is the one before.
///
/// @param position how many events have happened
/// @param selection the id of the selected part, see [Selection]; empty for none
/// @param filter in the query language; empty for everything
/// @param zoom which time the timeline shows
/// @param pins ids of parts that stay in view
/// @param markers up to two positions with what happened between them
public record Session(
        int position, String selection, String filter, Zoom zoom, Set<String> pins, List<Integer> markers) {

    /// At the very beginning, with nothing selected.
    public static final Session START = new Session(0, "", "", Zoom.ALL, Set.of(), List.of());

    /// Keeps its own copies.
    public Session {
        pins = Set.copyOf(pins);
        markers = List.copyOf(markers);
    }

    /// A span of time on the clock of the run.
    ///
    /// @param from the first nanosecond; [#ALL] shows the whole run, however long it is
    public record Zoom(long from, long to) {
        /// The whole run.
        public static final Zoom ALL = new Zoom(Long.MIN_VALUE, Long.MAX_VALUE);

        /// The same, within a run and never empty.
        public Zoom within(Run run) {
            long first = Math.max(from, run.begin());
            long last = Math.min(to, run.end());
            return first < last ? new Zoom(first, last) : new Zoom(run.begin(), Math.max(run.end(), run.begin() + 1));
        }
    }

    /// The same at another position.
    public Session at(int other) {
        return new Session(other, selection, filter, zoom, pins, markers);
    }

    /// The same with another part selected; empty for none.
    public Session select(String part) {
        return new Session(position, part, filter, zoom, pins, markers);
    }

    /// The same with another filter.
    public Session filter(String query) {
        return new Session(position, selection, query, zoom, pins, markers);
    }

    /// The same with another zoom.
    public Session zoom(Zoom other) {
        return new Session(position, selection, filter, other, pins, markers);
    }

    /// The same with other pins.
    public Session pins(Set<String> other) {
        return new Session(position, selection, filter, zoom, other, markers);
    }

    /// The same with other markers.
    public Session markers(List<Integer> other) {
        return new Session(position, selection, filter, zoom, pins, other);
    }

    /// The story that is being looked at: the selected one, else that of the present moment.
    public Optional<Story> story(Run run) {
        return Selection.story(run, selection).or(() -> run.at(position).story());
    }
}
