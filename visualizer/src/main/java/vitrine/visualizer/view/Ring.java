package vitrine.visualizer.view;

import java.util.List;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.RingState;
import vitrine.visualizer.timeline.RingState.Cell;

/// One queue of a [RingsView], as its pieces need it.
///
/// @param changedSince cells written by this event or a later one are new
record Ring(Subject subject, RingState state, int changedSince) {

    boolean isNew(Cell cell) {
        return isNew(cell.writtenBy());
    }

    boolean isNew(int event) {
        return event >= changedSince && event >= 0;
    }

    /// The chains that are on their way.
    List<Chain> chains() {
        return state.flying().values().stream()
                .map(flying -> Chain.of(subject.run(), state, flying))
                .toList();
    }

    /// A place in a packed ring, which has been counted on through all laps.
    int entry(int place) {
        return state.size() == 0 ? 0 : Math.floorMod(place, state.size());
    }

    /// The wrap counter of whoever stands there: 1 in the first lap.
    int wrapCounter(int place) {
        return state.size() == 0 || place / state.size() % 2 == 0 ? 1 : 0;
    }

    static Fill frame(boolean isNew, boolean isSelected) {
        Fill fill = Fill.of(Token.PANEL).rounded(3);
        if (isSelected) {
            return fill.edged(Token.SELECTED, 2.4);
        }
        return isNew ? fill.edged(Token.CHANGED, 2) : fill.edged(Token.RULE, 1);
    }
}
