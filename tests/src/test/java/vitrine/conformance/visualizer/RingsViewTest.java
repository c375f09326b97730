package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.RingsView;

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

    /// virtio 1.3, 2.8.1 and 2.8.10: the wrap counter changes with each lap, and each side says at
    /// which entry of which lap it wants to be woken.
    ///
    /// Seen to catch: a wrap counter that is 0 in the first lap.
    @Test
    void packedRingHasBothSidesAndTheirWrapCounters() {
        Run run = Runs.of("ring-packed");
        RecordingPainter atFirst = paint(run, queued(run, "INIT") + 1);
        RecordingPainter later = paint(run, queued(run, "WRITE") + 1);

        assertEquals("the driver offers at 4, wrap 1", atFirst.textOf("driver-next"));
        assertEquals("the device takes at 0, wrap 1", atFirst.textOf("device-next"));
        assertEquals("the driver offers at 1, wrap 0", later.textOf("driver-next"));
        assertEquals("the device takes at 4, wrap 1", later.textOf("device-next"));
        assertTrue(later.textOf("field-USED").endsWith("at 4, wrap 1"), later.textOf("field-USED"));
        assertTrue(later.textOf("desc-0").replaceAll("\\s+", " ").endsWith("WRITE 0 1"), later.textOf("desc-0"));
    }

    private static int queued(Run run, String opcode) {
        for (int n = 0; n < run.size(); n++) {
            if (run.event(n) instanceof TraceEvent.RequestQueued queued
                    && queued.opcode().equals(opcode)) {
                return n;
            }
        }
        throw new AssertionError("no " + opcode);
    }

    /// A ring of 128 entries has no room: what is cut off is said.
    ///
    /// Seen to catch: a list that ends where the room does.
    @Test
    void largeRingSaysWhatIsNotShown() {
        Run run = Runs.of("write-pages");

        RecordingPainter recorder = paint(run, run.size() / 2);

        long shown = recorder.parts().stream()
                .filter(part -> part.id().startsWith("desc-"))
                .count();
        assertEquals("+" + (128 - shown) + " more below", recorder.textOf("descriptors-below"));
        assertTrue(recorder.texts().stream().anyMatch(text -> text.text().endsWith(" of 128")));
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

    /// A daemon sees neither kicks nor what the driver stores: no zero stands for them, and a line
    /// says why.
    ///
    /// Seen to catch: kicks 0.
    @Test
    void theCaptureOfADaemonCountsNoKicks() {
        RecordingPainter ofDaemon = paint(Runs.asItsDaemonSawIt("killpriv-off"), 100);
        RecordingPainter whole = paint(Runs.of("killpriv-off"), 500);

        assertEquals("", ofDaemon.textOf("signal-KICK"));
        assertTrue(ofDaemon.textOf("unseen").startsWith("Kicks, descriptors and the available and used rings are not"));
        assertTrue(ofDaemon.textOf("signal-CALL").startsWith("calls "));
        assertTrue(whole.textOf("signal-KICK").startsWith("kicks "));
        assertTrue(whole.part("unseen").isEmpty());
    }

    private static RecordingPainter paint(Run run, int position) {
        RecordingPainter recorder = new RecordingPainter();
        new RingsView().paint(Subject.of(run, Session.START.at(position), 960, 560), recorder);
        return recorder;
    }

    /// Where not all slots have room, the same ones of both rings are shown, one below the other,
    /// and where both sides are is in sight.
    ///
    /// Seen to catch: each ring scrolled to its own index.
    @Test
    void bothRingsShowTheSameSlots() {
        Run run = Runs.of("killpriv-off");
        for (int position = 300; position <= run.size(); position += 50) {
            List<Part> parts = new RingsView().parts(Subject.of(run, Session.START.at(position), 547, 446));
            assertEquals(slots(parts, "avail-"), slots(parts, "used-"), "step " + position);
            assertTrue(parts.stream().map(Part::id).toList().containsAll(List.of("avail-idx", "used-idx")));
        }
    }

    private static List<String> slots(List<Part> parts, String ring) {
        return parts.stream()
                .filter(part -> part.id().matches(ring + "\\d+"))
                .map(part ->
                        part.id().substring(ring.length()) + " at " + part.box().x())
                .toList();
    }
}
