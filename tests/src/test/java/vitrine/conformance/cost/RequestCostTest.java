package vitrine.conformance.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.compare.Pump;
import vitrine.guest.compare.RequestKind;

/// All that a request costs the host in system calls, whatever the depth. Everything but sleeping
/// and calling is exact.
@Timeout(60)
class RequestCostTest {

    private CountedDaemon daemon;

    @BeforeEach
    void connect(@TempDir Path share) throws Exception {
        Needs.root(); // who makes a file as somebody else has to be
        daemon = new CountedDaemon(share);
    }

    @AfterEach
    void leave() throws Exception {
        if (daemon != null) {
            daemon.close();
        }
    }

    /// One system call for the request itself; two where it takes two to hear of a late error; none
    /// where there is nothing to do.
    ///
    /// Caught: a LOOKUP that opens before it looks; a counter of kicks that is read after each
    /// sleep.
    @ParameterizedTest
    @CsvSource({
        "NOTHING, ''",
        "STATFS, fstatfs",
        "GETATTR, statx",
        "LOOKUP, statx",
        "READ_4K, preadv2",
        "WRITE_4K, pwritev2",
        "WRITE_1M, pwritev2",
        "FLUSH, fcntl close",
    })
    void eachRequestMakesTheCallsThatItNeedsAndNoOther(RequestKind kind, String calls) throws Exception {
        List<Pump.Slot> slots = daemon.guest().ready(kind);
        for (int depth : new int[] {1, 16}) {
            Map<String, Long> counts = daemon.during(() -> daemon.guest().pump().run(slots, depth, 5));

            for (String call : calls.split(" ")) {
                assertEquals(
                        calls.isEmpty() ? null : 5L * slots.size(), counts.remove(call), call + " at depth " + depth);
            }
            assertEquals(Map.of(), counts, "at depth " + depth);
        }
    }

    /// Waking and calling is shared by all requests that come together: one call at most, and no
    /// sleep but before and after them.
    ///
    /// Caught: a call for each reply (`pushed > 0` in `driverWantsCall`).
    @ParameterizedTest
    @ValueSource(ints = {1, 16, 64})
    void requestsThatComeTogetherShareAWakeUp(int depth) throws Exception {
        Pump pump = daemon.guest().pump();
        List<Pump.Slot> slots = daemon.guest().ready(RequestKind.WRITE_4K).subList(0, depth);
        for (int round = 0; round < 20; round++) {
            Map<String, Long> counts = daemon.all(() -> pump.runTogether(slots));

            assertEquals((long) depth, counts.remove("pwritev2"));
            assertAtMost(1, "write", counts); // to the eventfd of the call
            assertAtMost(2, "epoll_wait", counts); // after the last round, and after this one
            assertEquals(Map.of(), counts);
        }
    }

    private static void assertAtMost(long most, String call, Map<String, Long> counts) {
        Long count = counts.remove(call);
        assertTrue(count == null || count <= most, call + ": " + count);
    }

    /// To make a file and to remove it again: CREATE opens it, opens it once more for its nodeid,
    /// and looks at it; RELEASE and FORGET close one descriptor each. Its handle is asked for once,
    /// by FORGET, even if a file that was forgotten had the same inode number.
    ///
    /// Caught: a CREATE that looks the new name up before it makes it.
    @Test
    void aFileIsMadeAndRemovedBySevenCalls() throws Exception {
        Map<String, Long> counts = daemon.during(() -> daemon.guest().createAndRemove("new"));

        assertEquals(Map.of("openat", 2L, "statx", 1L, "close", 2L, "unlinkat", 1L, "name_to_handle_at", 1L), counts);
    }
}
