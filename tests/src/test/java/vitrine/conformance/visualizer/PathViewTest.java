package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.paint.RecordingPainter.Written;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.view.PathView;
import vitrine.visualizer.view.Subject;

/// The way of a request, as it is at one step.
class PathViewTest {

    /// Seen to catch: a caption that begins with the clock.
    @Test
    void presentStepStandsOutAndTheFutureIsFaint() {
        Subject subject = Runs.at("killpriv-off", "first-getxattr");
        RecordingPainter recorder = new RecordingPainter();

        new PathView().paint(subject, recorder);

        int present = subject.session().position() - 1;
        assertTrue(recorder.textOf("event-" + present).contains("GETXATTR"), recorder.textOf("event-" + present));
        assertEquals(Token.ACCENT, label(recorder, "event-" + present));
        String next = "event-" + (subject.moment().next() - 1);
        assertEquals(Token.FAINT, label(recorder, next));
        assertTrue(recorder.textOf("caption").startsWith("The driver puts GETXATTR into queue 1"));
    }

    private static Token label(RecordingPainter recorder, String part) {
        return recorder.texts().stream()
                .filter(text -> text.part().equals(part))
                .map(Written::token)
                .toList()
                .getLast();
    }
}
