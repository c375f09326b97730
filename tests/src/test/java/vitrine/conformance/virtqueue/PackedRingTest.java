package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.virtqueue.Bench.Setup;
import vitrine.conformance.virtqueue.Bench.Side;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.driver.GuestRange;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.Descriptor;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.PackedRing;
import vitrine.virtqueue.RingFormat;

/// What is new in a packed ring: laps, chains without fixed places, ids; and a driver that lies
/// about them.
class PackedRingTest {

    private static final int NEXT = Descriptor.NEXT;
    private static final int WRITE = Descriptor.WRITE;
    private static final int INDIRECT = Descriptor.INDIRECT;

    private static Bench bench(int size, boolean indirect) {
        return new Setup(RingFormat.PACKED, size, true, indirect, 3).build();
    }

    // --- laps

    /// virtio 1.3, 2.8.1 and 2.8.6: chains of any length go round rings of any size, and come back
    /// in any order; nothing is lost, doubled or cut.
    ///
    /// Caught: `Lap.wrapCounter` always true; `after` modulo the size; one entry skipped for each
    /// chain in `PackedDeviceQueue.push`; the id taken from the first entry of a chain that the
    /// driver names in the last only.
    @Property(tries = 100)
    void chainsOfAnyLengthGoRoundRingsOfAnySize(
            @ForAll @IntRange(min = 1, max = 9) int size, @ForAll boolean indirect, @ForAll long seed)
            throws Exception {
        Bench bench = bench(size, indirect);
        Random random = new Random(seed);
        Deque<DescriptorChain> held = new ArrayDeque<>();
        Set<Integer> away = new HashSet<>();
        GuestRange memory = bench.ram.take(64);

        for (int step = 0; step < 200; step++) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    int pieces = random.nextInt(1, 5);
                    if (bench.driver
                            .add(pieces(memory, pieces), List.of(), step)
                            .isPresent()) {
                        away.add(step);
                    }
                }
                case 1 -> bench.device.pop().ifPresent(random.nextBoolean() ? held::addFirst : held::addLast);
                default -> {
                    if (!held.isEmpty()) {
                        bench.device.push(held.removeFirst().head(), 0);
                    }
                }
            }
            bench.driver.poll().ifPresent(used -> assertTrue(away.remove(used.token()), "unknown: " + used));
        }
        bench.driver.drain(used -> away.remove(used.token()));
        for (var chain = bench.device.pop(); chain.isPresent(); chain = bench.device.pop()) {
            held.add(chain.get());
        }
        held.forEach(chain -> bench.device.push(chain.head(), 0));
        bench.driver.drain(used -> away.remove(used.token()));
        assertEquals(Set.of(), away);
        assertEquals(size, bench.driver.freeDescriptors());
    }

    /// vhost-user, "Vring descriptor indices": both positions and both wrap counters are handed
    /// over, and another device goes on there.
    ///
    /// Caught: `base` without the wrap counter of the used half; `ofWords` ignoring it.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6, 7, 8, 13, 14, 15})
    void anotherDeviceGoesOnWhereTheFirstStopped(int before) throws Exception {
        Bench bench = bench(7, false);
        List<GuestRange> buffer = List.of(bench.ram.take(8));
        for (int i = 0; i < before; i++) {
            serveOne(bench, buffer, i);
        }

        bench.restartDevice(bench.device.base());

        assertTrue(bench.device.pop().isEmpty());
        serveOne(bench, buffer, before);
        int half = (before + 1) % 7 | ((before + 1) / 7 % 2 == 0 ? 0x8000 : 0);
        assertEquals(half << 16 | half, bench.device.base());
    }

    @Test
    void sizesAndBasesThatNoRingHas() {
        assertTrue(RingFormat.PACKED.isPossibleSize(1));
        assertTrue(RingFormat.PACKED.isPossibleSize(100));
        assertTrue(RingFormat.PACKED.isPossibleSize(32768));
        assertFalse(RingFormat.PACKED.isPossibleSize(0));
        assertFalse(RingFormat.PACKED.isPossibleSize(32769));

        assertTrue(RingFormat.PACKED.isPossibleBase(0x8000_8000, 4));
        assertTrue(RingFormat.PACKED.isPossibleBase(0x8001_8003, 4)); // two chains are being worked on
        assertTrue(RingFormat.PACKED.isPossibleBase(0x8003_0003, 4)); // all four are
        assertFalse(RingFormat.PACKED.isPossibleBase(0x8000_8004, 4), "an entry that is not there");
        assertFalse(RingFormat.PACKED.isPossibleBase(0x8004_8000, 4), "an entry that is not there");
        assertFalse(RingFormat.PACKED.isPossibleBase(0x8003_8001, 4), "given back before it was taken");
    }

    // --- a driver that lies

    /// virtio 1.3, 2.8.6: NEXT in every entry leads round and round. The device takes no more than
    /// the ring has, and stops.
    ///
    /// Caught: no look at `free` in `PackedWalk.read` (an endless loop).
    @Test
    void aChainWithoutAnEndStopsTheQueue() throws Exception {
        Bench bench = bench(4, false);
        PackedRing ring = bench.packedRing(Side.DRIVER);
        for (int i = 3; i >= 0; i--) {
            offer(ring, i, bench.ram.take(8), NEXT, 0);
        }

        assertThrows(BrokenQueueException.class, bench.device::pop);
    }

    /// What the device has, it cannot be given again: neither the id nor the entries.
    ///
    /// Caught: `entriesOf[id] != 0` not looked at; `free` always the size of the ring; `id >= size`
    /// not looked at (an index out of bounds).
    @Test
    void whatTheDeviceHasCannotBeOfferedAgain() throws Exception {
        Bench twice = bench(4, false);
        offer(twice.packedRing(Side.DRIVER), 0, twice.ram.take(8), 0, 2);
        twice.device.pop().orElseThrow();
        offer(twice.packedRing(Side.DRIVER), 1, twice.ram.take(8), 0, 2);
        assertThrows(BrokenQueueException.class, twice.device::pop);

        Bench beyond = bench(4, false);
        offer(beyond.packedRing(Side.DRIVER), 0, beyond.ram.take(8), 0, 4);
        assertThrows(BrokenQueueException.class, beyond.device::pop);

        Bench full = bench(2, false);
        offer(full.packedRing(Side.DRIVER), 0, full.ram.take(8), 0, 0);
        offer(full.packedRing(Side.DRIVER), 1, full.ram.take(8), 0, 1);
        full.device.pop().orElseThrow();
        full.device.pop().orElseThrow();
        offer(full.packedRing(Side.DRIVER), 2, full.ram.take(8), 0, 0); // the same entry, a lap later
        assertThrows(BrokenQueueException.class, full.device::pop);
    }

    /// A chain that breaks a rule comes back with 0 bytes, and the next one is served: its entries
    /// are counted all the same.
    ///
    /// Caught: `entriesOf[id]` set after the look at the chain; `nextAvail` moved after it.
    @Test
    void aBrokenChainComesBackAndTheQueueGoesOn() throws Exception {
        Bench bench = bench(4, false);
        PackedRing ring = bench.packedRing(Side.DRIVER);
        GuestRange nowhere = new GuestRange(0xDEAD_0000L, 8);
        offer(ring, 1, nowhere, 0, 3);
        offer(ring, 0, bench.ram.take(8), NEXT, 0);

        BrokenChainException broken = assertThrows(BrokenChainException.class, bench.device::pop);
        bench.device.push(broken.head(), 0);

        assertEquals(3, broken.head());
        offer(ring, 2, bench.ram.take(8), 0, 1);
        assertEquals(1, bench.device.pop().orElseThrow().head());
    }

    /// virtio 1.3, 2.8.8: tables within tables, tables with something behind them, tables of a
    /// length that no table has, and what a table's entries say beside WRITE.
    ///
    /// Caught: `flags() & WRITE` without the mask in `PackedWalk.addTable` (the table's own entries
    /// followed).
    @Test
    void indirectTablesAreChecked() throws Exception {
        for (long length : new long[] {0, 8, 17, 16L * 40_000}) {
            Bench bench = bench(4, false);
            offer(
                    bench.packedRing(Side.DRIVER),
                    0,
                    new GuestRange(bench.ram.take(64).address(), length),
                    INDIRECT,
                    0);
            assertThrows(BrokenChainException.class, bench.device::pop, "a table of " + length);
        }
        Bench followed = bench(4, false);
        offer(followed.packedRing(Side.DRIVER), 1, followed.ram.take(16), 0, 0);
        offer(followed.packedRing(Side.DRIVER), 0, followed.ram.take(16), INDIRECT | NEXT, 0);
        assertThrows(BrokenChainException.class, followed.device::pop);

        Bench noise = bench(4, true);
        noise.driver.add(List.of(noise.ram.take(8)), List.of(noise.ram.take(8)), 0);
        DescriptorChain chain = noise.device.pop().orElseThrow();
        assertEquals(8, chain.readable().size());
        assertEquals(8, chain.writable().size());
    }

    // --- a device that lies

    /// Caught: `Given.takeBack` not called by `PackedDriverQueue.poll`.
    @Test
    void theDriverBelievesNoIdThatItDidNotGive() {
        Bench bench = bench(4, false);
        bench.driver.add(List.of(bench.ram.take(8)), List.of(), 0);
        PackedRing ring = bench.packedRing(Side.DEVICE);

        ring.putUsed(0, 77, 0);
        ring.releaseUsed(0, WRITE);

        assertThrows(BrokenDeviceException.class, bench.driver::poll);
    }

    private static void offer(PackedRing ring, int position, GuestRange memory, int flags, int id) {
        ring.putDescriptor(position, new Descriptor(memory.address(), memory.length(), 0, id));
        ring.releaseAvailable(position, flags);
    }

    private static List<GuestRange> pieces(GuestRange memory, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new GuestRange(memory.address() + 16L * i, 8))
                .toList();
    }

    private static void serveOne(Bench bench, List<GuestRange> buffer, int token) throws Exception {
        bench.driver.add(buffer, List.of(), token).orElseThrow();
        bench.device.push(bench.device.pop().orElseThrow().head(), 0);
        assertEquals(token, bench.driver.poll().orElseThrow().token());
    }
}
