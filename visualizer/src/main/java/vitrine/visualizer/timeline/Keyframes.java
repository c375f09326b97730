package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.List;

/// Goes to any moment: a copy of the state every so often, and a replay from there.
///
/// Every 512 events in a run of up to two million; in a longer one less often, so that the copies
/// stay within some megabytes. They are made once, as far as somebody has looked.
final class Keyframes {

    private static final int APART = 512;
    private static final int AT_MOST = 4096;

    private final Run run;
    private final int apart;
    private final List<State> frames = new ArrayList<>();

    Keyframes(Run run) {
        this.run = run;
        this.apart = Math.max(APART, run.size() / AT_MOST);
    }

    synchronized State stateAt(int position) {
        int frame = position / apart;
        if (frames.isEmpty()) {
            frames.add(new State(run));
        }
        while (frames.size() <= frame) {
            frames.add(replayed(frames.size() - 1, frames.size() * apart));
        }
        return replayed(frame, position);
    }

    private State replayed(int frame, int position) {
        State state = frames.get(frame).copy();
        for (int n = frame * apart; n < position; n++) {
            state.apply(n);
        }
        return state;
    }
}
