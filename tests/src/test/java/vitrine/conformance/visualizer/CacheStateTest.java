package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.Sender;
import vitrine.visualizer.timeline.Anchors;
import vitrine.visualizer.timeline.CacheState;
import vitrine.visualizer.timeline.CachedPages;
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
        assertEquals("{} {} {} {} {} []", at(run, "end").toString());
    }

    /// What was read or written through the cache lies in it; O_DIRECT passes it by.
    ///
    /// Seen to catch: O_DIRECT overlooked; a piece beside another kept apart.
    @Test
    void pagesAreCachedThatWereReadOrWritten() {
        assertEquals(Map.of(0L, 1L), pages(Runs.of("first-byte"), "release", 2));
        assertEquals(Map.of(0L, 4L), pages(Runs.of("killpriv-on"), "write-5", 2));
        assertEquals(Map.of(), pages(Runs.of("direct-off"), "release", 2));
        assertEquals(Map.of(0L, 64L), pages(Runs.of("write-pages"), "release", 2));
    }

    private static Map<Long, Long> pages(Run run, String anchor, long node) {
        CachedPages.Pages pages = at(run, anchor).pages().files().get(node);
        return pages == null ? Map.of() : pages.ranges();
    }

    /// Linux drops the pages of a file that is opened without FOPEN_KEEP_CACHE, and of one whose
    /// size or time is another than before, if AUTO_INVAL_DATA was agreed on (fuse.h).
    ///
    /// Seen to catch: OPEN without a look at its flags; attributes without a look at those before.
    @Test
    void pagesGoWhenTheFileIsOpenedOrHasChanged() {
        Exchange run = new Exchange()
                .answer("INIT", 0, Map.of(), Map.of("flags", "AUTO_INVAL_DATA"))
                .answer("GETATTR", 2, Map.of(), Map.of("attr_valid", "1", "size", "9000", "mtime", "5"))
                .answer("OPEN", 2, Map.of(), Map.of("fh", "1", "open_flags", "0"))
                .answer("READ", 2, Map.of("fh", "1", "offset", "0", "size", "8192"), Map.of());
        assertEquals(Map.of(0L, 2L), run.pages());
        assertEquals(
                Map.of(0L, 2L),
                run.answer("OPEN", 2, Map.of(), Map.of("open_flags", "KEEP_CACHE"))
                        .pages());
        assertEquals(
                Map.of(0L, 2L),
                run.answer("GETATTR", 2, Map.of(), Map.of("attr_valid", "1", "size", "9000", "mtime", "5"))
                        .pages());
        assertEquals(
                Map.of(),
                run.answer("GETATTR", 2, Map.of(), Map.of("attr_valid", "1", "size", "9000", "mtime", "6"))
                        .pages());
        run.answer("READ", 2, Map.of("fh", "1", "offset", "4096", "size", "8192"), Map.of());
        assertEquals(Map.of(1L, 3L), run.pages());
        assertEquals(
                Map.of(),
                run.answer("OPEN", 2, Map.of(), Map.of("fh", "3", "open_flags", "0"))
                        .pages());
    }

    /// Requests and their answers, as a daemon would note them.
    private static final class Exchange {
        private final List<TraceEvent> events = new ArrayList<>();

        Exchange answer(String opcode, long node, Map<String, String> asked, Map<String, String> answered) {
            Keys keys = Keys.ofUnique(events.size() + 2L);
            Stamp at = new Stamp(events.size() * 1000L, Actor.DAEMON, "queue", keys);
            long payload = Long.parseLong(asked.getOrDefault("size", "16"));
            events.add(new TraceEvent.RequestDecoded(
                    at, opcode, new Sender(node, 0, 0, 0), fields(asked), RawBytes.EMPTY));
            events.add(new TraceEvent.ReplyGiven(at, 0, payload, fields(answered), RawBytes.EMPTY));
            return this;
        }

        private static List<Field> fields(Map<String, String> values) {
            return values.entrySet().stream()
                    .map(value -> new Field(value.getKey(), value.getValue()))
                    .toList();
        }

        Map<Long, Long> pages() {
            return CacheStateTest.pages(Run.of(events, Map.of()), "end", 2);
        }
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
