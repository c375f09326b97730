package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.virtqueue.Descriptor.INDIRECT;
import static vitrine.virtqueue.Descriptor.NEXT;
import static vitrine.virtqueue.Descriptor.WRITE;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import vitrine.conformance.virtqueue.Bench.Setup;
import vitrine.conformance.virtqueue.Bench.Side;
import vitrine.memory.MappedMemory;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.Descriptor;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.SplitDeviceQueue;

/// What a device does with each kind of chain that breaks a rule, and with some that look strange
/// but are allowed. Production daemons end their process for most of these.
class BrokenChainTest {

    private static final int SIZE = 8;
    private static final long RAM = 0x10_0000;
    private static final long RAM_END = RAM + 0x1_0000;
    private static final long SECOND_RAM_END = RAM_END + 0x1000; // touches the first region
    private static final long TABLE = RAM + 0x8000; // where indirect tables go

    private final Bench bench = new Setup(SIZE, true, false, 1).build();
    private final GuestRam ram = new GuestRam().with(RAM, 0x1_0000).with(RAM_END, 0x1000);
    private int published;

    /// A case: descriptors from 0 on in the queue's table, and from 0 on in the table at [#TABLE].
    record Case(String name, String complaint, List<Descriptor> queue, List<Descriptor> table) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> broken() {
        Descriptor ok = d(RAM, 64, 0, 0);
        Descriptor toTable = d(TABLE, 32, INDIRECT, 0);
        return Stream.of(
                direct("a descriptor that is its own next", "circle", d(RAM, 4, NEXT, 0)),
                direct("two descriptors in a circle", "circle", d(RAM, 4, NEXT, 1), d(RAM, 4, NEXT, 0)),
                direct("a circle without a byte in it", "circle", d(RAM, 0, NEXT, 0)),
                direct("next behind the table", "next 8", d(RAM, 4, NEXT, SIZE)),
                direct("next far behind the table", "next 65535", d(RAM, 4, NEXT, 0xFFFF)),
                direct("no guest memory at that address", "guest memory", d(0x666, 4, 0, 0)),
                direct("one byte too many", "guest memory", d(SECOND_RAM_END - 4, 5, 0, 0)),
                direct("across two regions and out", "guest memory", d(RAM_END - 4, 0x1005, 0, 0)),
                direct("an address that overflows", "guest memory", d(-4L, 8, 0, 0)),
                direct("address and length that overflow", "guest memory", d(-1L, 0xFFFF_FFFFL, 0, 0)),
                direct("a writable place in no memory", "guest memory", d(RAM, 8, NEXT, 1), d(0, 8, WRITE, 0)),
                direct("writable before readable", "readable", d(RAM, 8, NEXT | WRITE, 1), ok),
                direct("more than 4 GiB", "4 GiB", d(RAM, 9, NEXT, 1), d(RAM, 0xFFFF_FFFFL, 0, 0)),
                direct("a table at an odd address", "odd", d(TABLE + 1, 32, INDIRECT, 0)),
                direct("a table of 0 bytes", "indirect table of 0 bytes", d(TABLE, 0, INDIRECT, 0)),
                direct("a table of 15 bytes", "15 bytes", d(TABLE, 15, INDIRECT, 0)),
                direct("a table of 33 bytes", "33 bytes", d(TABLE, 33, INDIRECT, 0)),
                direct("a table of 65536 descriptors", "65536", d(TABLE, 16 << 16, INDIRECT, 0)),
                direct("a table of 4 GiB", "descriptors", d(TABLE, 0xFFFF_FFF0L, INDIRECT, 0)),
                direct("a table in no guest memory", "guest memory", d(0x1000, 32, INDIRECT, 0)),
                direct("a table half in guest memory", "guest memory", d(SECOND_RAM_END - 16, 32, INDIRECT, 0)),
                indirect("a table and descriptors after it", "after it", d(TABLE, 32, INDIRECT | NEXT, 1), ok),
                indirect("a table within a table", "within", toTable, toTable),
                indirect("a table within a table, later", "within", toTable, d(RAM, 4, NEXT, 1), toTable),
                indirect("a circle within a table", "circle", toTable, d(RAM, 4, NEXT, 1), d(RAM, 4, NEXT, 0)),
                indirect("next behind the indirect table", "next 2", toTable, d(RAM, 4, NEXT, 2)),
                indirect("no guest memory, within a table", "guest memory", toTable, d(64, 4, 0, 0)),
                indirect("writable before readable, within a table", "readable", toTable, d(RAM, 8, 3, 1), ok));
    }

    /// virtio 1.3, 2.7.4.2, 2.7.5.2, 2.7.5.3.1. The chain goes back with 0 bytes, and the next one
    /// is served as if nothing had happened.
    ///
    /// Caught: each check of `ChainWalk` removed, one by one; `nextAvail` moved on after the walk.
    @ParameterizedTest
    @MethodSource("broken")
    void aBrokenChainGoesBackAndTheNextOneIsServed(Case broken) throws Exception {
        restart();
        write(broken);
        offer(0);

        BrokenChainException refused = assertThrows(BrokenChainException.class, () -> bench.device.pop());
        assertTrue(refused.getMessage().contains(broken.complaint), refused.getMessage());
        assertEquals(0, refused.head());
        bench.device.push(refused.head(), 0);

        d(RAM + 100, 20, 0, 0).write(bench.ring(Side.DRIVER).descriptors(), 5);
        offer(5);
        assertEquals(20, bench.device.pop().orElseThrow().readable().size());
        bench.device.push(5, 0);
        assertEquals(0, bench.ring(Side.DRIVER).usedHead(0));
        assertEquals(0, bench.ring(Side.DRIVER).usedWritten(0));
        assertEquals(2, bench.ring(Side.DRIVER).acquireUsedIdx());
    }

    static Stream<Case> strange() {
        Descriptor in = d(RAM, 10, NEXT, 1);
        Descriptor out = d(RAM + 0x100, 10, WRITE, 0);
        return Stream.of(
                direct("nothing to write", "20/0", in, d(RAM + 0x40, 10, 0, 0)),
                direct("nothing to read", "0/10", out),
                direct("an empty buffer anywhere", "10/10", in, d(0xDEAD_0000L, 0, NEXT, 2), out),
                direct("an empty readable buffer last", "10/10", in, d(RAM, 10, NEXT | WRITE, 2), d(RAM, 0, 0, 0)),
                direct("neighbours in two regions", "20/0", d(RAM_END - 10, 10, NEXT, 1), d(RAM_END, 10, 0, 0)),
                direct("a buffer across two regions", "8/0", d(RAM_END - 4, 8, 0, 0)),
                direct("unknown flags, and a next that means nothing", "10/0", d(RAM, 10, 0xFFF8, 0xFFFF)),
                direct("the same bytes twice", "20/0", in, d(RAM, 10, 0, 0)),
                indirect("a descriptor, then a table", "20/10", in, d(TABLE, 32, INDIRECT, 0), in, out),
                indirect("a pointer marked writable", "10/10", d(TABLE, 32, INDIRECT | WRITE, 0), in, out),
                indirect("a table with more in it than is used", "0/10", d(TABLE, 320, INDIRECT, 0), out));
    }

    /// virtio 1.3, 2.7.4 (any cut), 2.7.5.3.2 (descriptors before a table; WRITE on the pointer to
    /// one is ignored).
    ///
    /// Caught: `isWritable()` of the pointer respected; an indirect descriptor accepted as the
    /// first only; an empty buffer looked up; `extendLast` without its fallback; `addParts` that
    /// looks for the whole buffer at once.
    @ParameterizedTest
    @MethodSource("strange")
    void whatIsOnlyStrangeIsServed(Case strange) throws Exception {
        restart();
        write(strange);
        offer(0);

        DescriptorChain chain = bench.device.pop().orElseThrow();

        assertEquals(
                strange.complaint,
                chain.readable().size() + "/" + chain.writable().size());
    }

    /// virtio 1.3, 2.7.5.3.1: a chain as long as the queue is the longest allowed; in an indirect
    /// table we take as many as it has.
    ///
    /// Caught: the bound of the circle one lower.
    @Test
    void aChainMayUseEveryDescriptorOfItsTable() throws Exception {
        restart();
        for (int i = 0; i < SIZE; i++) {
            d(RAM + 32 * i, 16, i + 1 < SIZE ? NEXT : 0, i + 1)
                    .write(bench.ring(Side.DRIVER).descriptors(), i);
        }
        MappedMemory table = new MappedMemory(ram.guest(TABLE, 16 * 100));
        for (int i = 0; i < 100; i++) {
            d(RAM + 32 * i, 16, i + 1 < 100 ? NEXT : 0, i + 1).write(table, i);
        }
        offer(0);
        assertEquals(SIZE, bench.device.pop().orElseThrow().descriptors());

        d(TABLE, 1600, INDIRECT, 0).write(bench.ring(Side.DRIVER).descriptors(), 0);
        offer(0);
        assertEquals(1600, bench.device.pop().orElseThrow().readable().size());
    }

    /// virtio 1.3, 2.7.13.3: at most as many chains as entries can be available, and a head is the
    /// number of a descriptor. Otherwise nothing in the ring can be believed, now or later.
    ///
    /// Caught: each of the two checks of `pop` removed, and each one too weak by one.
    @Test
    void aRingThatMakesNoSenseIsBrokenForGood() {
        for (int ahead : new int[] {SIZE + 1, 1000, 0xFFFF}) {
            restart();
            bench.ring(Side.DRIVER).releaseAvailIdx(ahead);
            assertThrows(BrokenQueueException.class, () -> bench.device.pop());
            assertThrows(BrokenQueueException.class, () -> bench.device.pop());
        }
        for (int head : new int[] {SIZE, 1000, 0xFFFF}) {
            restart();
            offer(head);
            assertThrows(BrokenQueueException.class, () -> bench.device.pop());
            assertThrows(BrokenQueueException.class, () -> bench.device.pop());
        }
    }

    private void restart() {
        bench.device = new SplitDeviceQueue(bench.ring(Side.DEVICE), ram, true, 0);
        bench.ring(Side.DRIVER).releaseAvailIdx(0);
        published = 0;
    }

    private void write(Case some) throws Exception {
        for (int i = 0; i < some.queue.size(); i++) {
            some.queue.get(i).write(bench.ring(Side.DRIVER).descriptors(), i);
        }
        MemorySegment memory = ram.guest(TABLE, 0x1000);
        for (int i = 0; i < some.table.size(); i++) {
            some.table.get(i).write(new MappedMemory(memory), i);
        }
    }

    private void offer(int head) {
        bench.ring(Side.DRIVER).putAvailEntry(published++, head);
        bench.ring(Side.DRIVER).releaseAvailIdx(published);
    }

    private static Case direct(String name, String expected, Descriptor... queue) {
        return new Case(name, expected, List.of(queue), List.of());
    }

    /// The queue's table ends with the first descriptor that is indirect; the rest is in the other.
    private static Case indirect(String name, String expected, Descriptor... all) {
        int pointer = 0;
        while (!all[pointer].isIndirect()) {
            pointer++;
        }
        List<Descriptor> descriptors = List.of(all);
        return new Case(
                name, expected, descriptors.subList(0, pointer + 1), descriptors.subList(pointer + 1, all.length));
    }

    private static Descriptor d(long address, long length, int flags, int next) {
        return new Descriptor(address, length, flags, next);
    }
}
