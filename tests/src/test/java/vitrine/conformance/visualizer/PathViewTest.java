package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.paint.RecordingPainter.Written;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.PathView;

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

    /// What a daemon notes has nothing of its guest: the empty lanes say why, and the clock counts
    /// from the request, for a daemon may be up for days.
    ///
    /// Seen to catch: lanes that are just empty; a clock that begins with the daemon; a blank over
    /// four rows of the life lines for a note of two lines.
    @Test
    void theCaptureOfADaemonSaysWhyTwoLanesAreEmpty() {
        Run all = Runs.of("killpriv-off");
        Run ofDaemon = Runs.asItsDaemonSawIt("killpriv-off");
        RecordingPainter recorder = new RecordingPainter();

        new PathView().paint(Subject.of(ofDaemon, Session.START.at(100), 960, 600), recorder);

        Box why = recorder.part("unseen").orElseThrow().box();
        assertTrue(why.height() < 40, why.toString());
        assertTrue(recorder.texts().stream().anyMatch(text -> text.text().endsWith("into the request")));
        assertTrue(new PathView()
                .parts(Subject.of(all, Session.START.at(300), 960, 600)).stream()
                        .noneMatch(part -> part.id().equals("unseen")));
    }
}
