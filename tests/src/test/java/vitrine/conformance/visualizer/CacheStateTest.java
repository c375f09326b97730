package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.timeline.Anchors;
import vitrine.visualizer.timeline.CacheState;
import vitrine.visualizer.timeline.Moment;
import vitrine.visualizer.timeline.Run;

/// What the guest believes, at moments of a run in which a name is made, moved and removed.
class CacheStateTest {

    /// Linux moves the name along with the file, and knows better once it was told that there is
    /// none.
    ///
    /// Caught: RENAME without its new name.
    @Test
    void aNameGoesWhereItsFileGoes() {
        Run run = Runs.of("names");

        assertEquals(List.of("new"), namesAt(run, "rename"));
        assertEquals(List.of("letter"), namesAt(run, "unlink"));
        assertEquals(List.of(), namesAt(run, "destroy"));
    }

    /// Caught: DESTROY left out.
    @Test
    void nothingIsBelievedOfWhatIsNotMounted() {
        Run run = Runs.of("deep-path");

        assertTrue(at(run, "destroy").names().size() >= 4);
        assertEquals("{} {} {}", at(run, "end").toString());
    }

    private static List<String> namesAt(Run run, String anchor) {
        return at(run, anchor).names().keySet().stream()
                .map(CacheState.Name::name)
                .toList();
    }

    private static CacheState at(Run run, String anchor) {
        return new Moment(run, Anchors.find(run, anchor).orElseThrow()).state().caches();
    }
}
