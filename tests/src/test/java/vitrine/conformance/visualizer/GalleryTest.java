package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import vitrine.guest.cost.CostTable;
import vitrine.guest.cost.Entry;
import vitrine.guest.cost.Ledger;
import vitrine.guest.cost.VirtualTime;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.query.Answer;
import vitrine.visualizer.query.Query;
import vitrine.visualizer.query.QueryException;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.scenario.ScenarioRun;
import vitrine.visualizer.timeline.Run;

/// The scenarios: the same events each time, and they show what they are there to show.
class GalleryTest {

    /// Seen to catch: a duplicated descriptor under the host's own number.
    @Test
    void scenarioRunAgainIsTheSameToTheByte() throws IOException {
        for (Scenario scenario : Gallery.ALL) {
            Run first = Runs.of(scenario.name());

            Run second = ScenarioRun.of(scenario);

            for (int n = 0; n < Math.min(first.size(), second.size()); n++) {
                assertEquals(first.event(n), second.event(n), scenario.name() + ", event " + n);
            }
            assertEquals(first.size(), second.size(), scenario.name());
        }
    }

    /// The time of a scenario is that of the one table of costs: what the model of
    /// vitrine.guest.cost makes of the same system calls, one after the other.
    ///
    /// Seen to catch: a device that is woken for nothing.
    @Test
    void timeOfAScenarioIsThatOfTheTableOfCosts() {
        for (String name : List.of("killpriv-off", "killpriv-on", "write-pages", "lookup-plain")) {
            Run run = Runs.of(name);
            List<TraceEvent> events = events(run);
            Ledger ledger = Ledger.of(events);
            List<List<Entry>> operations = ledger.guestCalls().keySet().stream()
                    .flatMap(call -> ledger.perCall(events, call).stream())
                    .toList();

            double model = VirtualTime.of(CostTable.of(""), operations, 1, 1);

            assertEquals(model, run.costs().total() / 1000.0, 0.01 * model, name);
        }
    }

    /// What each scenario is there to show, as a question in the language that readers use.
    @Test
    void scenarioShowsWhatItsTitleSays() throws QueryException {
        Map<String, String> claims = Map.ofEntries(
                Map.entry("first-byte", "count(op == READ) == 1 && count(host.syscall == \"preadv2\") == 1"),
                Map.entry("handshake", "count(op == INIT) == 1 && count(failed) == 0"),
                Map.entry("killpriv-off", "count(op == GETXATTR) == 8 && count(op == WRITE) == 8"),
                Map.entry("killpriv-on", "count(op == GETXATTR) == 1 && count(op == WRITE && killpriv) == 8"),
                Map.entry("patch-guest-kills", "count(op == SETATTR && valid ~ \"MODE\") == 2"),
                Map.entry("patch-host-kills", "count(op == WRITE && killpriv) == 3"),
                Map.entry("direct-off", "count(op == OPEN && flags ~ \"O_DIRECT\") == 1"),
                Map.entry("direct-on", "count(op == OPEN && flags ~ \"O_DIRECT\") == 1"),
                Map.entry(
                        "append-write",
                        "count(op == WRITE) == 3 && count(op == FALLOCATE) == 0 && count(op == SETUPMAPPING) == 0"),
                Map.entry(
                        "append-room-first",
                        "count(op == WRITE) == 0 && count(op == FALLOCATE) == 3 && count(op == SETUPMAPPING) == 1"),
                Map.entry("lookup-marked", "count(host.syscall == \"ioctl\") > 0"),
                Map.entry("lookup-plain", "count(host.syscall == \"ioctl\") == 0 && count(op == LOOKUP) > 0"),
                Map.entry("write-pages", "count(op == WRITE) == 64 && count(host.syscall == \"pwritev2\") == 64"),
                Map.entry("write-piecewise", "count(op == WRITE) == 1 && count(host.syscall == \"pwritev2\") >= 64"),
                Map.entry("write-at-once", "count(op == WRITE) == 1 && max(size) == 256KiB"),
                Map.entry("ring-wraps", "count(req) > 8 && count(kick) == count(req)"),
                Map.entry("ring-flags", "count(req) > 8"),
                Map.entry("ring-indirect", "count(req) > 8"),
                Map.entry("ring-packed", "count(req) > 8 && count(kick) == count(req)"),
                Map.entry("names", "count(failed) >= 2 && count(op == UNLINK) == 1"),
                Map.entry("window-read", "count(op == READ) == 0 && count(op == SETUPMAPPING) == 3"),
                Map.entry("deep-path", "count(op == LOOKUP) >= 5 && count(op == LOOKUP && name == \"leaf\") > 0"),
                Map.entry("forbidden", "count(op == OPEN) == 0 && count(op == LOOKUP) > 0"));
        for (Scenario scenario : Gallery.ALL) {
            String claim = claims.get(scenario.name());
            assertNotEquals(null, claim, scenario.name() + " claims nothing");

            Answer answer = Query.parse(claim).ask(Runs.of(scenario.name()));

            assertEquals(new Answer.Truth(true), answer, scenario.name() + ": " + claim);
        }
    }

    @Test
    void fiveExperimentsHaveTwoSides() {
        assertEquals(5, Gallery.EXPERIMENTS.size());
        for (List<Scenario> pair : Gallery.EXPERIMENTS) {
            assertEquals(2, pair.size());
            assertNotEquals(
                    events(Runs.of(pair.getFirst().name())),
                    events(Runs.of(pair.getLast().name())),
                    pair.getFirst().name());
        }
        assertTrue(Gallery.ALL.size() >= 10);
    }

    private static List<TraceEvent> events(Run run) {
        return IntStream.range(0, run.size()).mapToObj(run::event).toList();
    }
}
