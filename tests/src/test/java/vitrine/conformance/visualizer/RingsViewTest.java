package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.RingsView;
import vitrine.visualizer.view.Subject;

/// The ring, cell by cell, as both sides have left it.
class RingsViewTest {

    @Test
    void usedSlotIsEmptyUntilTheDeviceGivesTheChainBack() {
        Run run = Runs.of("first-byte");
        int pushed = firstPush(run);
        TraceEvent.ChainPushed push = (TraceEvent.ChainPushed) run.event(pushed);

        RecordingPainter before = paint(run, pushed - 5);
        RecordingPainter after = paint(run, pushed + 1);

        assertEquals(
                "used slot 0 is empty.", before.part("used-0").map(Part::says).orElse(""));
        assertTrue(after.part("used-0")
                .map(Part::says)
                .orElse("")
                .startsWith("used slot 0 holds " + push.at().keys().head() + ": " + push.written()));
    }

    /// virtio 1.3, 2.7.5: the chain goes on where `next` says, whatever the order in the table.
    ///
    /// Seen to catch: the chain followed in the order of the table.
    @Test
    void chainIsBracketedFromItsHeadToItsEnd() {
        RecordingPainter recorder = new RecordingPainter();

        new RingsView().paint(Runs.at("killpriv-off", "first-getxattr"), recorder);

        int head = head(Runs.of("killpriv-off"));
        assertEquals("fuse_in_header GETXATTR", plain(recorder.textOf("chain-" + head + "-0")));
        assertEquals("fuse_getxattr_in", recorder.textOf("chain-" + head + "-1"));
        assertEquals("fuse_out_header", recorder.textOf("chain-" + head + "-2"));
        assertEquals("fuse_getxattr_out", recorder.textOf("chain-" + head + "-3"));
    }

    private static String plain(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private static int head(Run run) {
        for (int n = 0; n < run.size(); n++) {
            if (run.event(n) instanceof TraceEvent.RequestQueued queued
                    && queued.opcode().equals("GETXATTR")) {
                return queued.at().keys().head();
            }
        }
        throw new AssertionError("no GETXATTR");
    }

    private static int firstPush(Run run) {
        for (int n = 0; n < run.size(); n++) {
            if (run.event(n) instanceof TraceEvent.ChainPushed) {
                return n;
            }
        }
        throw new AssertionError("nothing came back");
    }

    private static RecordingPainter paint(Run run, int position) {
        RecordingPainter recorder = new RecordingPainter();
        new RingsView().paint(Subject.of(run, Session.START.at(position), 960, 560), recorder);
        return recorder;
    }
}
