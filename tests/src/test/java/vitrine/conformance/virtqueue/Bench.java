package vitrine.conformance.virtqueue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import vitrine.guest.driver.DriverQueue;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.IndirectTables;
import vitrine.memory.MappedMemory;
import vitrine.memory.SharedMemory;
import vitrine.virtqueue.SplitDeviceQueue;
import vitrine.virtqueue.SplitRing;

/// A queue with both its ends, in the memory of one process.
final class Bench {

    private static final int TABLE_ENTRIES = 8;
    private static final long RAM_START = 0x4000_0000L;

    final GuestRam ram;
    final SplitRing driverRing;
    final SplitRing deviceRing;
    final DriverQueue<Integer> driver;
    SplitDeviceQueue device;
    private final Setup setup;

    /// What a test varies.
    record Setup(int size, boolean eventIndex, boolean indirect, long seed) {
        Bench build() {
            return new Bench(this, (_, memory) -> memory);
        }
    }

    /// The three areas of a ring. A test may put something of its own in front of each.
    enum Area {
        DESC,
        AVAIL,
        USED
    }

    enum Side {
        DRIVER,
        DEVICE
    }

    /// An area as one of the two sides sees it.
    record View(Side side, Area area) {}

    Bench(Setup setup, BiFunction<View, SharedMemory, SharedMemory> inFront) {
        this.setup = setup;
        int size = setup.size();
        MemorySegment desc = Arena.ofAuto().allocate(SplitRing.descriptorBytes(size), 64);
        MemorySegment avail = Arena.ofAuto().allocate(SplitRing.availBytes(size), 64);
        MemorySegment used = Arena.ofAuto().allocate(SplitRing.usedBytes(size), 64);
        driverRing = ring(Side.DRIVER, desc, avail, used, inFront);
        deviceRing = ring(Side.DEVICE, desc, avail, used, inFront);

        long tables = 16L * TABLE_ENTRIES * size;
        ram = new GuestRam().with(RAM_START, tables + 256L * size + (1 << 16));
        GuestRange tableRange = ram.take(tables);
        IndirectTables indirect = setup.indirect()
                ? IndirectTables.sideBySide(tableRange.address(), ram.segment(tableRange), TABLE_ENTRIES)
                : IndirectTables.none();
        driver = new DriverQueue<>(driverRing, setup.eventIndex(), indirect, new SplittableRandom(setup.seed()));
        restartDevice(0);
    }

    /// A new device takes the queue up at an available index, as after a stop.
    void restartDevice(int nextAvail) {
        device = new SplitDeviceQueue(deviceRing, ram, setup.eventIndex(), nextAvail);
    }

    private SplitRing ring(
            Side side,
            MemorySegment desc,
            MemorySegment avail,
            MemorySegment used,
            BiFunction<View, SharedMemory, SharedMemory> inFront) {
        return new SplitRing(
                setup.size(),
                inFront.apply(new View(side, Area.DESC), new MappedMemory(desc)),
                inFront.apply(new View(side, Area.AVAIL), new MappedMemory(avail)),
                inFront.apply(new View(side, Area.USED), new MappedMemory(used)));
    }
}
