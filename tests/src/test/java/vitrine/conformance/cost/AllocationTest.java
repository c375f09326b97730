package vitrine.conformance.cost;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.guest.compare.Pump;
import vitrine.guest.compare.RequestKind;

/// What a request leaves behind in the JVM's memory.
@Timeout(60)
class AllocationTest {

    private static final int ROUNDS = 40;

    /// A request costs its queue's thread some small objects on the heap, headers as records among
    /// them, and not a byte per byte of data.
    ///
    /// Seen to catch: an array of the size of the data. Seen: 1400 bytes (READ) to 2000 (LOOKUP),
    /// before the JVM has compiled it well, and with those that count the system calls.
    @Test
    void aSmallRequestLeavesLittleBehind(@TempDir Path share) throws Exception {
        Needs.root();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (CountedDaemon daemon = new CountedDaemon(share)) {
            for (RequestKind kind :
                    List.of(RequestKind.GETATTR, RequestKind.LOOKUP, RequestKind.READ_4K, RequestKind.WRITE_4K)) {
                List<Pump.Slot> slots = daemon.guest().ready(kind);
                daemon.guest().pump().run(slots, 16, ROUNDS);
                long thread = idOf("request-1");
                long before = threads.getThreadAllocatedBytes(thread);

                daemon.guest().pump().run(slots, 16, ROUNDS);

                long each = (threads.getThreadAllocatedBytes(thread) - before) / ((long) ROUNDS * slots.size());
                assertTrue(each < 4096, kind + " leaves " + each + " bytes");
            }
        }
    }

    private static long idOf(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .threadId();
    }
}
