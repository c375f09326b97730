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
import vitrine.conformance.rules.Needs;
import vitrine.daemon.VirtioFsDevice;
import vitrine.guest.compare.Pump;
import vitrine.guest.compare.RepeatingGuest;
import vitrine.guest.compare.RequestKind;
import vitrine.guest.compare.ShareOfFiles;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.wire.MalformedException;

/// All that a request costs the host, counted over the whole way: a vhost-user socket, real
/// eventfds, a thread that serves the queue.
///
/// How often that thread sleeps and calls is a matter of chance, but not without bounds: it sleeps
/// once for each kick, and calls once for each time that the guest has asked for it. Everything
/// else is exact.
@Timeout(60)
class RequestCostTest {

    private final CountedLibc counted = new CountedLibc();
    private PassthroughFs fileSystem;
    private Thread backend;
    private RepeatingGuest guest;

    @BeforeEach
    void connect(@TempDir Path share) throws Exception {
        Needs.root(); // who makes a file as somebody else has to be
        ShareOfFiles.fill(share);
        Syscalls sys = new Syscalls(counted.asLibc());
        fileSystem = new PassthroughFs(sys, share.toString(), PassthroughOptions.DEFAULT);
        UnixSocket[] pair = UnixSocket.pair(sys);
        Backend served =
                new Backend(Connection.over(pair[1]), new VirtioFsDevice(sys, new FuseSession(fileSystem), 1, ""), sys);
        backend = Thread.ofPlatform().daemon().start(() -> run(served));
        guest = new RepeatingGuest(new Syscalls(CountedLibc.REAL), pair[0]);
        guest.createAndRemove("warm"); // the thread has found out who it is
    }

    private static void run(Backend backend) {
        try {
            backend.run();
        } catch (MalformedException | ErrnoException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void leave() throws Exception {
        if (guest != null) {
            guest.close();
            backend.join();
            fileSystem.close();
        }
    }

    /// One system call for the request itself; two where it takes two to hear of a late error.
    ///
    /// Caught: a LOOKUP that opens before it looks; a counter of kicks that is read after each
    /// sleep.
    @ParameterizedTest
    @CsvSource({
        "GETATTR, statx",
        "LOOKUP, statx",
        "READ_4K, preadv2",
        "WRITE_4K, pwritev2",
        "WRITE_1M, pwritev2",
        "FLUSH, fcntl close",
    })
    void eachRequestMakesTheCallsThatItNeedsAndNoOther(RequestKind kind, String calls) throws Exception {
        List<Pump.Slot> slots = guest.ready(kind);
        for (int depth : new int[] {1, 16}) {
            Map<String, Long> counts = counts(() -> guest.pump().run(slots, depth, 5));

            for (String call : calls.split(" ")) {
                assertEquals(5L * slots.size(), counts.remove(call), call + " at depth " + depth);
            }
            assertEquals(Map.of(), counts, "at depth " + depth);
        }
    }

    /// To make a file and to remove it again: CREATE opens it, opens it once more for its nodeid,
    /// and looks at it; RELEASE and FORGET close one descriptor each.
    ///
    /// Caught: a CREATE that looks the new name up before it makes it.
    @Test
    void aFileIsMadeAndRemovedBySixCalls() throws Exception {
        Map<String, Long> counts = counts(() -> guest.createAndRemove("new"));

        assertEquals(Map.of("openat", 2L, "statx", 1L, "close", 2L, "unlinkat", 1L), counts);
    }

    /// The calls during `action`, without those for sleeping and calling, whose bounds are checked.
    private Map<String, Long> counts(Action action) throws Exception {
        Pump pump = guest.pump();
        long kicks = pump.kicks();
        long wishes = pump.wishes();
        long requests = pump.requests();
        counted.reset();
        action.run();
        Map<String, Long> counts = counted.counts();

        long sleeps = counts.getOrDefault("epoll_wait", 0L);
        assertTrue(sleeps <= pump.kicks() - kicks + 1, "a sleep for each kick, and one after the last");
        long called = counts.getOrDefault("write", 0L);
        assertTrue(called <= pump.wishes() - wishes, "a call for each wish");
        assertTrue(called <= pump.requests() - requests, "a call for each request at most");
        counts.remove("epoll_wait");
        counts.remove("write");
        return counts;
    }

    private interface Action {
        void run() throws Exception;
    }
}
