package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.export.Tables;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.timeline.Difference;
import vitrine.visualizer.timeline.Difference.Row;
import vitrine.visualizer.timeline.Difference.Verdict;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Two runs side by side: no request is lost, none is told twice, and each stays in its place.
class DifferenceTest {

    /// Seen to catch: whatever only the second run has told first, matches or not.
    @Test
    void killprivCostsAQuestionAWrite() {
        Difference difference = Difference.of(Runs.of("killpriv-off"), Runs.of("killpriv-on"));

        assertEquals("7 GETXATTR", difference.onlyIn(Verdict.ONLY_FIRST));
        assertEquals("", difference.onlyIn(Verdict.ONLY_SECOND));
        assertEquals(
                "| 4 | `GETXATTR security.capability` | - |  |",
                Tables.markdown(Runs.of("killpriv-off"), Runs.of("killpriv-on")).stream()
                        .filter(line -> line.startsWith("| 4"))
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void eachSideIsWholeAndInOrder() {
        for (List<Scenario> pair : Gallery.EXPERIMENTS) {
            Run first = Runs.of(pair.getFirst().name());
            Run second = Runs.of(pair.getLast().name());

            List<Row> rows = Difference.of(first, second).rows();

            assertEquals(
                    requests(first), side(rows, Row::first), pair.getFirst().name());
            assertEquals(
                    requests(second), side(rows, Row::second), pair.getLast().name());
        }
    }

    @Test
    void runIsTheSameAsItself() {
        for (Scenario scenario : Gallery.ALL) {
            Run run = Runs.of(scenario.name());

            Difference difference = Difference.of(run, run);

            assertEquals(difference.rows().size(), difference.count(Verdict.SAME), scenario.name());
        }
    }

    /// By system call, as the rows are.
    private static List<Story> requests(Run run) {
        return run.stories().all().stream()
                .filter(Story::isRequest)
                .sorted(Comparator.comparingLong(Story::call))
                .toList();
    }

    private static List<Story> side(List<Row> rows, Function<Row, Optional<Story>> side) {
        return rows.stream().flatMap(row -> side.apply(row).stream()).toList();
    }
}
