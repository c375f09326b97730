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
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.CompareView;
import vitrine.visualizer.view.CostView;

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

    /// The same OPEN, and with it the daemon opens the host's file in another way: that is the
    /// whole experiment.
    ///
    /// Seen to catch: host calls that are only counted.
    @Test
    void theSameRequestMayAskTheHostForSomethingElse() {
        List<String> differ = compared("direct-off", "direct-on").parts().stream()
                .map(part -> part.says())
                .filter(sentence -> sentence.contains(" ~ "))
                .toList();

        assertEquals(1, differ.size(), differ.toString());
        assertTrue(
                differ.getFirst()
                        .matches(".*OPEN .*, host openat O_RDWR.O_CLOEXEC ~ OPEN .*, host openat O_RDWR.O_DIRECT.*"),
                differ::getFirst);
    }

    /// Neither picture of costs shows a zero for what a daemon's capture cannot have.
    ///
    /// Seen to catch: kicks 0.
    @Test
    void theCaptureOfADaemonCostsNoKicksThatAnybodySaw() {
        Subject subject = new Subject(
                Runs.of("direct-off"), Optional.of(Runs.asItsDaemonSawIt("direct-off")), Session.START, 960, 600);
        for (View view : List.of(new CompareView(), new CostView())) {
            RecordingPainter recorder = new RecordingPainter();
            view.paint(subject, recorder);
            assertTrue(recorder.texts().stream().anyMatch(text -> text.text().contains("not seen from here")));
        }
    }

    /// In a lecture the sentence of the present step is the headline, as in every picture.
    ///
    /// Seen to catch: a picture without one.
    @Test
    void thePresentStepIsTold() {
        assertEquals(
                "Nothing has happened yet.",
                compared("direct-off", "direct-on")
                        .part("caption")
                        .orElseThrow()
                        .says());
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
                says.getFirst().matches(".*WRITE size 262144, 64 host calls ~ WRITE.*, 1 host call\\."),
                says::getFirst);
    }
}
