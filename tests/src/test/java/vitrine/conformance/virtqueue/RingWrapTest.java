package vitrine.conformance.virtqueue;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.virtqueue.Bench.Setup;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.Used;
import vitrine.memory.MappedMemory;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;
import vitrine.virtqueue.RingIndex;
import vitrine.virtqueue.SplitRing;

/// Indexes that wrap, queues of every size, and queues that are full.
class RingWrapTest {

    /// virtio 1.3, 2.7.6 and 2.7.8: `idx` runs freely and wraps at 65536, whatever the size.
    ///
    /// Field report: virtiofsd GL #155.
    ///
    /// Caught: `RingIndex.after` without the mask; the slot taken as `index & size`, and as
    /// `index`.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768})
    void everySizeServesMoreRequestsThanAnIndexCanCount(int size) throws Exception {
        Bench bench = new Setup(size, true, true, size).build();
        GuestRange request = bench.ram.take(8);
        GuestRange reply = bench.ram.take(8);

        for (int number = 0; number < 66_000; number++) {
            bench.ram.segment(request).set(JAVA_INT_UNALIGNED, 0, number);
            assertTrue(
                    bench.driver.add(List.of(request), List.of(reply), number).isPresent());
            DescriptorChain chain = bench.device.pop().orElseThrow();
            int read = chain.readable().parts().getFirst().get(JAVA_INT_UNALIGNED, 0);
            chain.writable().parts().getFirst().set(JAVA_INT_UNALIGNED, 0, ~read);
            bench.device.push(chain.head(), 4);
            Used<Integer> used = bench.driver.poll().orElseThrow();
            assertEquals(number, used.token());
            assertEquals(~number, bench.ram.segment(reply).get(JAVA_INT_UNALIGNED, 0));
        }

        assertEquals(66_000 - 65_536, bench.device.base());
        assertTrue(bench.device.pop().isEmpty());
        assertTrue(bench.driver.poll().isEmpty());
    }

    /// virtio 1.3, 2.7.5.3: with an indirect table a chain takes one place in the queue; without,
    /// one for each descriptor. A queue that is full says so and goes on when a chain comes back.
    ///
    /// Caught: `waiting >= size` for `waiting > size` in `pop`; `places >= freeCount` in
    /// `DriverQueue.add`; descriptors of a returned chain not freed; head freed, rest not.
    @ParameterizedTest
    @ValueSource(ints = {4, 16, 128, 32768})
    void aFullQueueSaysSoAndLosesNothing(int size) throws Exception {
        for (boolean indirect : new boolean[] {true, false}) {
            Bench bench = new Setup(size, true, indirect, size).build();
            List<GuestRange> readable = List.of(bench.ram.take(4), bench.ram.take(4));
            List<GuestRange> writable = List.of(bench.ram.take(4), bench.ram.take(4));
            for (int round = 0; round < 3; round++) {
                int places = 0;
                while (bench.driver.add(readable, writable, places).isPresent()) {
                    places++;
                }
                assertEquals(indirect ? size : size / 4, places);
                assertEquals(0, bench.driver.freeDescriptors());

                Set<Integer> tokens = new HashSet<>();
                for (DescriptorChain chain : popAll(bench, round)) {
                    assertEquals(4, chain.descriptors());
                    bench.device.push(chain.head(), 8);
                }
                bench.driver.drain(used -> tokens.add(used.token()));
                assertEquals(places, tokens.size());
                assertEquals(size, bench.driver.freeDescriptors());
                assertEquals(0, bench.driver.outstanding());
            }
        }
    }

    /// virtio 1.3, 2.7.4: a chain arrives with the buffers, and the cuts, that the driver chose;
    /// only neighbours may have become one part.
    ///
    /// Caught: `WRITE` ignored; `runStart` not moved on with a new part.
    @Test
    void aChainArrivesAsItWasAdded() throws Exception {
        for (boolean indirect : new boolean[] {true, false}) {
            Bench bench = new Setup(16, true, indirect, 7).build();
            GuestRange whole = bench.ram.take(64);
            bench.ram.take(16); // a gap
            GuestRange far = bench.ram.take(16);
            GuestRange out = bench.ram.take(32);
            MemorySegment memory = bench.ram.segment(whole);
            new Random(1).ints(64, 0, 256).boxed().toList().forEach(i -> memory.set(JAVA_BYTE, i % 64, i.byteValue()));
            bench.ram.segment(far).fill((byte) 0x5a);

            bench.driver.add(
                    List.of(part(whole, 0, 40), part(whole, 40, 24), far, part(whole, 0, 1), part(whole, 1, 0)),
                    List.of(part(out, 1, 16), part(out, 0, 1), part(out, 17, 15)),
                    1);
            DescriptorChain chain = bench.device.pop().orElseThrow();

            byte[] expected = new byte[64 + 16 + 1];
            MemorySegment.copy(memory, JAVA_BYTE, 0, expected, 0, 64);
            Arrays.fill(expected, 64, 80, (byte) 0x5a);
            expected[80] = memory.get(JAVA_BYTE, 0);
            assertArrayEquals(expected, chain.readable().toBytes());
            assertEquals(8, chain.descriptors());
            assertEquals(3, chain.readable().parts().size()); // the first two are neighbours
            assertEquals(32, chain.writable().size());
            assertEquals(3, chain.writable().parts().size());
        }
    }

    /// virtio 1.3, 2.7: a power of two, at most 32768.
    ///
    /// Caught: the upper bound 65536; `bitCount` left out.
    @Test
    void aQueueOfAnImpossibleSizeCannotBeMade() {
        MappedMemory memory = new MappedMemory(Arena.ofAuto().allocate(8, 8));
        for (int size : new int[] {-1, 0, 3, 100, 32767, 32769, 65536, Integer.MIN_VALUE}) {
            assertFalse(RingFormat.SPLIT.isPossibleSize(size));
            assertThrows(
                    IllegalArgumentException.class, () -> new SplitRing(new RingAreas(size, memory, memory, memory)));
        }
    }

    /// virtio 1.3, 2.7.7.2: the event is passed if it is among the entries published, in a world
    /// of 16 bits. The long way round: count the entries one by one.
    ///
    /// Caught: `<=` for `<`; the event not advanced by one; no mask.
    @Test
    void anEventIsPassedIfItsEntryIsAmongThoseJustPublished() {
        Random random = new Random(5);
        for (int round = 0; round < 20_000; round++) {
            int index = random.nextInt(65536);
            int published = random.nextInt(6);
            int event = (index - 4 + random.nextInt(8)) & 0xFFFF;

            boolean expected = false;
            for (int back = 1; back <= published; back++) {
                expected |= event == ((index - back) & 0xFFFF);
            }
            assertEquals(expected, RingIndex.passed(event, index, published));
        }
        assertTrue(RingIndex.passed(12, 40_000, 65_536)); // one whole round passes everything
    }

    private static List<DescriptorChain> popAll(Bench bench, long seed) throws Exception {
        List<DescriptorChain> chains = new ArrayList<>();
        for (var chain = bench.device.pop(); chain.isPresent(); chain = bench.device.pop()) {
            chains.add(chain.get());
        }
        Collections.shuffle(chains, new Random(seed)); // a device may answer in any order
        return chains;
    }

    private static GuestRange part(GuestRange range, long offset, long length) {
        return new GuestRange(range.address() + offset, length);
    }
}
