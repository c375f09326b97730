package vitrine.visualizer.window;

import java.util.ArrayDeque;
import java.util.Deque;

/// The places before, and those that were undone.
final class History {

    /// How far the way back goes.
    static final int LENGTH = 64;

    private final Deque<Place> back = new ArrayDeque<>();
    private final Deque<Place> forth = new ArrayDeque<>();

    /// Remembers a place that is being left for a new one.
    void leave(Place place) {
        back.push(place);
        if (back.size() > LENGTH) {
            back.removeLast();
        }
        forth.clear();
    }

    /// The place before this one, or this one if there is none.
    Place back(Place from) {
        return move(back, forth, from);
    }

    /// The place that was undone last, or this one if there is none.
    Place forth(Place from) {
        return move(forth, back, from);
    }

    private static Place move(Deque<Place> from, Deque<Place> to, Place place) {
        if (from.isEmpty()) {
            return place;
        }
        to.push(place);
        return from.pop();
    }
}
