package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import vitrine.memory.MappedMemory;
import vitrine.memory.NotGuestMemoryException;
import vitrine.memory.SharedMemory;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.Descriptor;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;
import vitrine.virtqueue.SplitDeviceQueue;
import vitrine.virtqueue.SplitRing;

/// A driver that writes whatever it likes into the ring.
class HostileChainTest {

    private static final int SIZE = 8;
    private static final long RAM = 0x10_0000;
    private static final long RAM_BYTES = 0x2000;
    private static final long FIRST_BYTES = 0x1800; // of two regions that touch each other
    private static final long TABLE = RAM + 0x1000;

    /// All that a driver controls: the descriptor table, what it says about the available ring, and
    /// an indirect table.
    record Lies(List<Descriptor> queue, List<Descriptor> table, List<Integer> heads, int idx) {}

    @Provide
    Arbitrary<Lies> lies() {
        Arbitrary<Integer> heads = mostly(12, SIZE - 1);
        Arbitrary<Integer> idx = mostly(9, SIZE);
        return Combinators.combine(
                        descriptors().list().ofSize(SIZE),
                        descriptors().list().ofSize(SIZE),
                        heads.list().ofSize(SIZE),
                        idx)
                .as(Lies::new);
    }

    private static Arbitrary<Descriptor> descriptors() {
        Arbitrary<Long> address = Arbitraries.frequencyOf(
                tuple(6, Arbitraries.longs().between(RAM, RAM + RAM_BYTES)),
                tuple(4, Arbitraries.just(TABLE)),
                tuple(1, Arbitraries.longs().between(RAM - 64, RAM + RAM_BYTES + 64)),
                tuple(1, Arbitraries.longs()));
        Arbitrary<Long> length = Arbitraries.frequencyOf(
                tuple(6, Arbitraries.longs().between(0, 128)),
                tuple(4, Arbitraries.of(0L, 16L, 32L, 64L, 96L, 128L)),
                tuple(1, Arbitraries.longs().between(0, 0xFFFF_FFFFL)));
        Arbitrary<Integer> flags = Arbitraries.frequencyOf(
                tuple(8, Arbitraries.of(0, 1, 1, 1, 2, 3, 3, 4)),
                tuple(1, Arbitraries.integers().between(0, 0xFFFF)));
        Arbitrary<Integer> next = mostly(12, SIZE - 1);
        return Combinators.combine(address, length, flags, next).as(Descriptor::new);
    }

    /// Numbers up to `most`, and once in a while any 16 bits.
    private static Arbitrary<Integer> mostly(int weight, int most) {
        return Arbitraries.frequencyOf(
                tuple(weight, Arbitraries.integers().between(0, most)),
                tuple(1, Arbitraries.integers().between(0, 0xFFFF)));
    }

    private static <T> Tuple.Tuple2<Integer, Arbitrary<? extends T>> tuple(int weight, Arbitrary<T> values) {
        return Tuple.of(weight, values);
    }

    /// virtio 1.3, 2.7.5: the rules are the driver's to keep, and the device's not to rely on. The
    /// walk ends, with memory of the guest or with one of the two exceptions; and a broken chain
    /// keeps none of the chains behind it from being looked at.
    ///
    /// Caught: `next` not checked; the head not checked; the number of announced requests not
    /// checked; an address taken without asking `AddressSpace`; `nextAvail` moved on after the walk
    /// (does not end). The property itself found that an indirect table at an odd address was an
    /// `IllegalArgumentException`, which would have ended the thread of the queue.
    @Property(tries = 5000)
    void popNeverLeavesTheGuestsMemoryAndAlwaysEnds(@ForAll("lies") Lies lies) {
        GuestRam ram = new GuestRam().with(RAM, FIRST_BYTES).with(RAM + FIRST_BYTES, RAM_BYTES - FIRST_BYTES);
        SplitDeviceQueue device = device(lies, ram);

        int outcomes = 0;
        boolean queueBroken = false;
        for (boolean more = true; more; ) {
            try {
                var chain = device.pop();
                more = chain.isPresent();
                if (more) {
                    checkChain(chain.get(), ram);
                    device.push(chain.get().head(), 0);
                    outcomes++;
                }
            } catch (BrokenChainException broken) {
                assertTrue(broken.head() < SIZE);
                device.push(broken.head(), 0);
                outcomes++;
            } catch (BrokenQueueException _) {
                queueBroken = true;
                more = false;
            }
        }

        boolean liedAboutTheRing =
                lies.idx > SIZE || lies.heads.subList(0, lies.idx).stream().anyMatch(h -> h >= SIZE);
        assertEquals(liedAboutTheRing, queueBroken);
        if (!queueBroken) {
            assertEquals(lies.idx, outcomes);
        }
    }

    private static void checkChain(DescriptorChain chain, GuestRam ram) {
        List<MemorySegment> parts = new ArrayList<>(chain.readable().parts());
        parts.addAll(chain.writable().parts());
        for (MemorySegment part : parts) {
            assertTrue(ram.owns(part), () -> part + " is not the guest's");
            assertTrue(part.byteSize() > 0);
        }
        assertTrue(chain.descriptors() <= 2 * SIZE);
    }

    private static SplitDeviceQueue device(Lies lies, GuestRam ram) {
        SplitRing ring = new SplitRing(new RingAreas(
                SIZE,
                memory(RingFormat.SPLIT.descriptorBytes(SIZE)),
                memory(RingFormat.SPLIT.driverBytes(SIZE)),
                memory(RingFormat.SPLIT.deviceBytes(SIZE))));
        for (int i = 0; i < SIZE; i++) {
            lies.queue.get(i).write(ring.descriptors(), i);
            lies.table.get(i).write(table(ram), i);
            ring.putAvailEntry(i, lies.heads.get(i));
        }
        ring.releaseAvailIdx(lies.idx);
        return new SplitDeviceQueue(ring, ram, true, 0);
    }

    private static SharedMemory table(GuestRam ram) {
        try {
            return new MappedMemory(ram.guest(TABLE, 16 * SIZE));
        } catch (NotGuestMemoryException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    private static SharedMemory memory(long bytes) {
        return new MappedMemory(Arena.ofAuto().allocate(bytes, 64));
    }
}
