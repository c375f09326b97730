package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import vitrine.conformance.virtqueue.Bench.Setup;
import vitrine.conformance.virtqueue.Bench.Side;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.driver.GuestRange;

/// What the model of a driver says to a device that lies. It is run against other daemons too, so a
/// mistake of theirs must not look like one of ours.
class BrokenDeviceTest {

    private final Bench bench = new Setup(8, true, true, 3).build();
    private final GuestRange buffer = bench.ram.take(16);

    /// virtio 1.3, 2.7.8: `id` is the head of a chain that the device was given, `len` at most what
    /// it has room for.
    ///
    /// Caught: each check of `DriverQueue.takeBack` removed, one by one.
    @Test
    void aChainThatTheDeviceDoesNotHaveIsNotTakenBack() {
        int head = bench.driver.add(List.of(buffer), List.of(buffer), 1).orElseThrow();

        complains("chain 8 ", 8, 0);
        complains("chain 4294967295 ", -1, 0);
        complains("does not have", (head + 1) % 8, 0);
        complains("17 bytes written where 16 fit", head, 17);

        assertEquals(1, bench.driver.outstanding());
    }

    /// virtio 1.3, 2.7.8: each chain comes back once.
    ///
    /// Caught: a returned chain not forgotten.
    @Test
    void aChainDoesNotComeBackTwice() throws Exception {
        int head = bench.driver.add(List.of(buffer), List.of(buffer), 1).orElseThrow();
        bench.device.push(head, 16);
        assertEquals(16, bench.driver.poll().orElseThrow().written());

        bench.device.push(head, 16);
        var refused = assertThrows(BrokenDeviceException.class, bench.driver::poll);

        assertTrue(refused.getMessage().contains("does not have"), refused.getMessage());
    }

    /// virtio 1.3, 2.7.8: not more chains can be used than entries exist.
    ///
    /// Caught: the check of `waiting` in `DriverQueue.poll` removed.
    @Test
    void aUsedIndexThatJumpsIsNotBelieved() {
        bench.driver.add(List.of(buffer), List.of(buffer), 1);
        bench.ring(Side.DEVICE).releaseUsedIdx(9);

        var refused = assertThrows(BrokenDeviceException.class, bench.driver::poll);

        assertTrue(refused.getMessage().contains("9 chains"), refused.getMessage());
    }

    /// Not of the standard, but what the stress tests rely on: heads come in no order, and the same
    /// seed gives the same order.
    ///
    /// Caught: `pickFree` always taking the last.
    @Test
    void descriptorsAreTakenInAnOrderThatOnlyTheSeedDecides() {
        Set<List<Integer>> orders = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            assertEquals(heads(seed), heads(seed));
            orders.add(heads(seed));
        }
        assertTrue(orders.size() > 15, () -> "few different orders: " + orders);
    }

    private List<Integer> heads(long seed) {
        Bench fresh = new Setup(8, true, true, seed).build();
        GuestRange range = fresh.ram.take(8);
        return IntStream.range(0, 8)
                .mapToObj(i -> fresh.driver.add(List.of(range), List.of(), i).orElseThrow())
                .toList();
    }

    /// Fills the next used entry behind the device's back, and takes it away again.
    private void complains(String about, int id, int written) {
        bench.ring(Side.DEVICE).putUsedEntry(0, id, written);
        bench.ring(Side.DEVICE).releaseUsedIdx(1);
        var refused = assertThrows(BrokenDeviceException.class, bench.driver::poll);
        assertTrue(refused.getMessage().contains(about), refused.getMessage());
        bench.ring(Side.DEVICE).releaseUsedIdx(0);
    }
}
