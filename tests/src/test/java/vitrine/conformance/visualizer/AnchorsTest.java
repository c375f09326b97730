package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Outcome;
import vitrine.trace.TraceEvent.Sender;
import vitrine.visualizer.command.Opened;
import vitrine.visualizer.timeline.Anchors;
import vitrine.visualizer.timeline.Run;

/// Names of moments are about the guest, hold when a run changes, and say so when they do not.
class AnchorsTest {

    /// A daemon writes to an eventfd before the guest's WRITE arrives: in a capture of a real guest
    /// there are no system calls of the guest that come first.
    ///
    /// Seen to catch: a system call of the host under its bare name.
    @Test
    void wordNamesARequestOfTheGuestAndNotACallOfTheHost() {
        Run run = Run.of(
                List.of(
                        new TraceEvent.HostCall(at(0, Keys.NONE), "write", "fd 7", new Outcome(8, 0, 100)),
                        new TraceEvent.RequestDecoded(
                                at(1, Keys.ofUnique(4)), "WRITE", new Sender(1, 0, 0, 1), List.of(), RawBytes.EMPTY),
                        new TraceEvent.HostCall(at(2, Keys.ofUnique(4)), "write", "fd 9", new Outcome(5, 0, 100))),
                Map.of());

        assertEquals(OptionalInt.of(2), Anchors.find(run, "first-write"));
        assertEquals(OptionalInt.of(3), Anchors.find(run, "host-write-2"));
        assertEquals(Map.of("host-write", 2, "write", 1), run.anchors());
    }

    private static Stamp at(long nanos, Keys keys) {
        return new Stamp(nanos, Actor.DAEMON, "queue 1", keys);
    }

    /// Seen to catch: the first of a name instead of the last.
    @Test
    void nameOfALongerRunLeadsToTheNearestMomentAndSaysSo() {
        Run run = Runs.of("killpriv-off");

        assertEquals(
                Optional.of(new Anchors.Found(
                        Anchors.find(run, "last-getxattr").orElseThrow(),
                        "This run has no moment 'getxattr-99'; this is getxattr-8, the nearest.")),
                Anchors.nearest(run, "getxattr-99"));
        assertEquals(
                run.size(), Anchors.nearest(run, "step-99999").orElseThrow().position());
        assertTrue(Anchors.nearest(run, "request-500").orElseThrow().note().contains("this is request-23"));
        assertTrue(Anchors.nearest(run, "call-500").orElseThrow().note().contains("this is call-12"));
        assertEquals(Optional.empty(), Anchors.nearest(run, "first-mknod"));
    }

    /// Every word that is listed leads somewhere, as often as is said.
    @Test
    void everyListedWordIsAMoment() {
        Run run = Runs.of("first-byte");
        run.anchors().forEach((word, count) -> {
            assertTrue(Anchors.find(run, "first-" + word).isPresent(), word);
            if (!word.equals("call")) { // call-2 is a system call
                assertEquals(Anchors.find(run, "last-" + word), Anchors.find(run, word + "-" + count), word);
                assertEquals(OptionalInt.empty(), Anchors.find(run, word + "-" + (count + 1)), word);
            }
        });
    }

    /// Seen to catch: a version that nobody compares.
    @Test
    void linkOfAnotherVersionSaysThatItIs() throws IOException {
        Runs.of("first-byte");
        String now = Opened.run("first-byte").about().get("version");

        assertEquals("", Opened.of("first-byte@first-read?v=" + now).note());
        assertTrue(Opened.of("first-byte@first-read?v=0").note().startsWith("The link was made with version 0 of"));
    }
}
