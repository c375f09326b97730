package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.virtqueue.Bench.Setup;
import vitrine.guest.driver.GuestRange;

/// A queue that stops and goes on, perhaps in another process.
class RestartTest {

    /// vhost-user: "VHOST_USER_GET_VRING_BASE": the next available index is handed over, the used
    /// index is found in the ring's memory.
    ///
    /// Caught: `nextUsed` starting at 0; `nextAvail` starting at 0; `nextUsed` taken from
    /// `nextAvail` (some chains were popped and never pushed).
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 48, 65_535, 65_536, 65_540})
    void anotherDeviceGoesOnWhereTheFirstStopped(int before) throws Exception {
        Bench bench = new Setup(8, true, true, 1).build();
        GuestRange buffer = bench.ram.take(8);
        for (int i = 0; i < before; i++) {
            serveOne(bench, buffer, i);
        }
        bench.driver.add(List.of(buffer), List.of(), -1);
        int lateHead = bench.device.pop().orElseThrow().head(); // still being worked on

        bench.restartDevice(bench.device.base());

        serveOne(bench, buffer, before);
        bench.device.push(lateHead, 0);
        assertEquals(-1, bench.driver.poll().orElseThrow().token());
        assertTrue(bench.device.pop().isEmpty());
        assertEquals((before + 2) & 0xFFFF, bench.device.base());
    }

    private static void serveOne(Bench bench, GuestRange buffer, int token) throws Exception {
        bench.driver.add(List.of(buffer), List.of(), token).orElseThrow();
        bench.device.push(bench.device.pop().orElseThrow().head(), 0);
        assertEquals(token, bench.driver.poll().orElseThrow().token());
    }
}
