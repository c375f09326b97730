package vitrine.visualizer.window;

import java.util.BitSet;

/// What the filter lets through.
final class Matches {

    private BitSet stories;

    /// Whether a story is to be shown.
    boolean story(int number) {
        return stories == null || stories.get(number);
    }
}
