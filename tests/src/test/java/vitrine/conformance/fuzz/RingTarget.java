package vitrine.conformance.fuzz;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import vitrine.memory.AddressSpace;
import vitrine.memory.MappedMemory;
import vitrine.memory.NotGuestMemoryException;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.DeviceQueue;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;

/// A guest's memory from its first byte to its last, with a ring in it, served by a device that
/// writes a little wherever it may.
///
/// The first byte says of which kind the ring is, how large, and how it notifies; the rest is
/// memory. There are two regions without a gap, so that a buffer can lie across.
final class RingTarget implements FuzzTarget {

    private static final int REGION = 4096;
    private static final int MOST_CHAINS = 3000;
    private static final byte WRITTEN = 0x5A;

    private final MemorySegment low = Arena.global().allocate(REGION, 16);
    private final MemorySegment high = Arena.global().allocate(REGION, 16);
    private final AddressSpace memory = new TwoRegions(low, high);

    @Override
    public void take(byte[] input) throws Exception {
        Input in = new Input(input);
        int shape = in.u8();
        fill(low, in.bytes(REGION));
        fill(high, in.bytes(REGION));
        RingFormat format = (shape & 16) != 0 ? RingFormat.PACKED : RingFormat.SPLIT;
        RingAreas areas = areas(format, 1 << (shape & 7) % 6);
        int base = format == RingFormat.SPLIT ? in.u8() : format.freshBase();
        DeviceQueue device = format.deviceQueue(areas, memory, (shape & 8) != 0, base);
        try {
            device.refuseKicks();
            int served = 0;
            while (served < MOST_CHAINS && serveOne(device)) {
                served++;
            }
            device.driverWantsCall();
            device.askForKick();
        } catch (BrokenQueueException _) {
            // as it should be
        }
    }

    /// At the beginning of the memory, one behind the other.
    private RingAreas areas(RingFormat format, int size) {
        long driver = format.descriptorBytes(size);
        long device = driver + (format.driverBytes(size) + 3 & -4);
        return new RingAreas(
                size,
                new MappedMemory(low.asSlice(0, driver)),
                new MappedMemory(low.asSlice(driver, format.driverBytes(size))),
                new MappedMemory(low.asSlice(device, format.deviceBytes(size))));
    }

    private boolean serveOne(DeviceQueue device) throws BrokenQueueException {
        try {
            Optional<DescriptorChain> chain = device.pop();
            if (chain.isEmpty()) {
                return false;
            }
            chain.get().readable().parts().forEach(part -> touch(part, part.get(JAVA_BYTE, part.byteSize() - 1)));
            chain.get().writable().parts().forEach(part -> touch(part, WRITTEN));
            device.push(chain.get().head(), Math.min(1, chain.get().writable().size()));
        } catch (BrokenChainException broken) {
            device.push(broken.head(), 0);
        }
        return true;
    }

    /// Its last byte is the guest's, and so are all before it.
    private void touch(MemorySegment part, byte value) {
        if (!isInside(low, part) && !isInside(high, part)) {
            throw new AssertionError(part + " is not the guest's");
        }
        part.set(JAVA_BYTE, part.byteSize() - 1, value);
    }

    private static boolean isInside(MemorySegment region, MemorySegment part) {
        long offset = part.address() - region.address();
        return offset >= 0 && part.byteSize() <= region.byteSize() - offset;
    }

    private static void fill(MemorySegment region, byte[] bytes) {
        region.fill((byte) 0);
        MemorySegment.copy(bytes, 0, region, JAVA_BYTE, 0, bytes.length);
    }

    /// Guest memory from address 0 on.
    private record TwoRegions(MemorySegment low, MemorySegment high) implements AddressSpace {

        @Override
        public MemorySegment guest(long address, long length) throws NotGuestMemoryException {
            long reach = reach(address);
            if (length <= 0 || length > reach) {
                throw new NotGuestMemoryException("guest", address, length);
            }
            return address < REGION ? low.asSlice(address, length) : high.asSlice(address - REGION, length);
        }

        @Override
        public long reach(long address) {
            return address < 0 || address >= 2 * REGION ? 0 : REGION - address % REGION;
        }
    }
}
