package vitrine.guest.program;

import java.util.ArrayList;
import java.util.List;

/// A program that was performed.
///
/// @param seen a step each, the mount first and the unmount last; fewer if it ended early
public record Performance(Program program, Client client, List<Seen> seen) {

    private static final Seen MISSING = new Seen("it ended before", List.of());

    /// Copies the list.
    public Performance {
        seen = List.copyOf(seen);
    }

    /// A step, as it should be and as it was.
    public record Row(String call, Seen expected, Seen seen) {

        /// Whether both are the same.
        public boolean isAsExpected() {
            return expected.equals(seen);
        }
    }

    /// All steps of the program.
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        int place = program.steps().getFirst().call().equals(Step.MOUNT) ? 0 : 1;
        for (Step step : program.steps()) {
            Seen was = place < seen.size() ? seen.get(place) : MISSING;
            rows.add(new Row(step.call(), step.expected(client), was));
            place++;
        }
        return rows;
    }

    /// Whether every step was as expected.
    public boolean isAsExpected() {
        return rows().stream().allMatch(Row::isAsExpected);
    }
}
