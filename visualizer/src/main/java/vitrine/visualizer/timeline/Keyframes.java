package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.List;

/// Goes to any moment: a copy of the state every so often, and a replay from there.
///
/// A copy comes after 512 events, or after twice as many as it has entries if those are more: so
/// all copies together are never larger than the run, however much a guest believes at once. A long
/// run has no more than two thousand. They are made once, as far as somebody has looked.
final class Keyframes {

    private static final int APART = 512;
    private static final int MOST = 2000;
    private static final int NEAR = 100_000; // events that somebody can wait for

    private final Run run;
    private final List<State> frames = new ArrayList<>();
    private final IntList positions = new IntList();
    private final int apart;
    private volatile int reached;

    Keyframes(Run run) {
        this.run = run;
        this.apart = Math.max(APART, run.size() / MOST);
    }

    synchronized State stateAt(int position) {
        if (frames.isEmpty()) {
            keep(new State(run), 0);
        }
        int last = positions.get(frames.size() - 1);
        if (position > last) {
            return advance(frames.getLast().copy(), last, position);
        }
        int frame = frameBefore(position);
        State state = frames.get(frame).copy();
        for (int n = positions.get(frame); n < position; n++) {
            state.apply(n);
        }
        return state;
    }

    /// Goes where nobody has been, and leaves copies on the way.
    private State advance(State state, int from, int to) {
        int last = from;
        for (int n = from; n < to; n++) {
            state.apply(n);
            if (n + 1 - last >= Math.max(apart, 2 * state.entries())) {
                last = n + 1;
                keep(state.copy(), last);
            }
        }
        return state;
    }

    /// Whether the way to a position is short.
    boolean isNear(int position) {
        return position - reached <= NEAR;
    }

    private void keep(State state, int position) {
        reached = position;
        frames.add(state);
        positions.add(position);
    }

    private int frameBefore(int position) {
        int low = 0;
        int high = frames.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (positions.get(middle) <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
