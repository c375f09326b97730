package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.CompareView;

/// Two runs side by side, and what others have said of the same two.
class CompareViewTest {

    private static RecordingPainter compared(String first, String second) {
        RecordingPainter recorder = new RecordingPainter();
        Subject subject = new Subject(Runs.of(first), Optional.of(Runs.of(second)), Session.START, 960, 600);
        new CompareView().paint(subject, recorder);
        return recorder;
    }

    /// The reported figures of an experiment stand beside the model's, with their name, and say how
    /// much better the one at the right is, whichever that is.
    ///
    /// Seen to catch: the gain of before and after for after and before.
    @Test
    void whatWasReportedStandsBesideTheModel() {
        for (List<Scenario> pair : Gallery.EXPERIMENTS) {
            String said =
                    compared(pair.getFirst().name(), pair.getLast().name()).textOf("summary");
            assertTrue(said.contains("reported ") && said.contains("model "), said);
        }
        String summary = compared("killpriv-off", "killpriv-on").textOf("summary");
        assertTrue(summary.contains("reported 84.6 MiB/s | 273 MiB/s, B 3.2 times as good"), summary);
        String reversed = compared("killpriv-on", "killpriv-off").textOf("summary");
        assertTrue(reversed.contains("reported 273 MiB/s | 84.6 MiB/s, B 0.3 times as good"), reversed);
        assertFalse(compared("killpriv-off", "append-write").textOf("summary").contains("reported"));
    }

    /// Where both ask the same and the daemon does it otherwise, the row says so.
    ///
    /// Seen to catch: rows that look at requests only.
    @Test
    void theSameRequestMayTakeTheHostMoreCalls() {
        List<String> says = compared("write-piecewise", "write-at-once").parts().stream()
                .map(part -> part.says())
                .filter(sentence -> sentence.contains("WRITE size"))
                .toList();

        assertEquals(1, says.size());
        assertTrue(
                says.getFirst().matches(".*WRITE size 262144, 64 host calls = WRITE.*, 1 host call\\."),
                says::getFirst);
    }
}
