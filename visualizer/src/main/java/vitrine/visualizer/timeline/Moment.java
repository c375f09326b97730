package vitrine.visualizer.timeline;

import java.util.Optional;
import java.util.OptionalInt;
import vitrine.trace.TraceEvent;

/// A run, and how much of it has happened.
///
/// @param position 0 to `run.size()`
public record Moment(Run run, int position) {

    /// The number of the event that has just happened; empty at the start.
    public OptionalInt latest() {
        return position == 0 ? OptionalInt.empty() : OptionalInt.of(position - 1);
    }

    /// The event that has just happened; empty at the start.
    public Optional<TraceEvent> event() {
        return position == 0 ? Optional.empty() : Optional.of(run.event(position - 1));
    }

    /// The request that is being looked at: that of the last event that has one.
    public Optional<Story> story() {
        for (int n = position - 1; n >= 0; n--) {
            Optional<Story> story = run.stories().of(n);
            if (story.isPresent()) {
                return story;
            }
        }
        return run.stories().size() == 0
                ? Optional.empty()
                : Optional.of(run.stories().get(0));
    }

    /// Everything as it is now.
    public State state() {
        return run.stateAt(position);
    }

    /// What time it is on the clock of the run.
    public long nanos() {
        return position == 0 ? run.begin() : run.nanos(position - 1);
    }

    /// The position after the next event that is no access to a ring; beyond the end at the end.
    public int next() {
        int n = position;
        while (n < run.size() && run.kind(n) == Kind.RING_ACCESS) {
            n++;
        }
        return n + 1;
    }

    /// The position after the event before this one that is no access to a ring; 0 at the start.
    public int previous() {
        int n = position - 2;
        while (n >= 0 && run.kind(n) == Kind.RING_ACCESS) {
            n--;
        }
        return n + 1;
    }

    /// From which event on things count as changed by this step: those after the last event that is
    /// no access to a ring, for a reader who does not stop at each of them.
    public int changesSince() {
        for (int n = position - 2; n >= 0; n--) {
            if (run.kind(n) != Kind.RING_ACCESS) {
                return n + 1;
            }
        }
        return 0;
    }
}
