package vitrine.conformance.virtqueue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import vitrine.guest.driver.DriverQueue;
import vitrine.guest.driver.DriverRing;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.IndirectTables;
import vitrine.memory.MappedMemory;
import vitrine.memory.SharedMemory;
import vitrine.virtqueue.DeviceQueue;
import vitrine.virtqueue.PackedRing;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;
import vitrine.virtqueue.SplitRing;

/// A queue with both its ends, in the memory of one process.
final class Bench {

    private static final int TABLE_ENTRIES = 8;
    private static final long RAM_START = 0x4000_0000L;

    final GuestRam ram;
    final DriverQueue<Integer> driver;
    DeviceQueue device;
    private final RingAreas driverSide;
    private final RingAreas deviceSide;
    private final Setup setup;

    /// What a test varies.
    record Setup(RingFormat format, int size, boolean eventIndex, boolean indirect, long seed) {
        Setup(int size, boolean eventIndex, boolean indirect, long seed) {
            this(RingFormat.SPLIT, size, eventIndex, indirect, seed);
        }

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
        RingFormat format = setup.format();
        MemorySegment desc = Arena.ofAuto().allocate(format.descriptorBytes(size), 64);
        MemorySegment avail = Arena.ofAuto().allocate(format.driverBytes(size), 64);
        MemorySegment used = Arena.ofAuto().allocate(format.deviceBytes(size), 64);
        driverSide = areas(Side.DRIVER, desc, avail, used, inFront);
        deviceSide = areas(Side.DEVICE, desc, avail, used, inFront);

        long tables = 16L * TABLE_ENTRIES * size;
        ram = new GuestRam().with(RAM_START, tables + 256L * size + (1 << 16));
        GuestRange tableRange = ram.take(tables);
        IndirectTables indirect = setup.indirect()
                ? IndirectTables.sideBySide(tableRange.address(), ram.segment(tableRange), TABLE_ENTRIES)
                : IndirectTables.none();
        DriverRing ring = new DriverRing(format, driverSide, setup.eventIndex());
        driver = ring.queue(indirect, new SplittableRandom(setup.seed()));
        restartDevice(format.freshBase());
    }

    /// A new device takes the queue up where it was left, as after a stop.
    void restartDevice(int base) {
        device = setup.format().deviceQueue(deviceSide, ram, setup.eventIndex(), base);
    }

    /// The split ring as one of the two sides sees it.
    SplitRing ring(Side side) {
        return new SplitRing(side == Side.DRIVER ? driverSide : deviceSide);
    }

    /// The same of a packed ring.
    PackedRing packedRing(Side side) {
        return new PackedRing(side == Side.DRIVER ? driverSide : deviceSide);
    }

    private RingAreas areas(
            Side side,
            MemorySegment desc,
            MemorySegment avail,
            MemorySegment used,
            BiFunction<View, SharedMemory, SharedMemory> inFront) {
        return new RingAreas(
                setup.size(),
                inFront.apply(new View(side, Area.DESC), new MappedMemory(desc)),
                inFront.apply(new View(side, Area.AVAIL), new MappedMemory(avail)),
                inFront.apply(new View(side, Area.USED), new MappedMemory(used)));
    }
}
