package vitrine.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// [SharedMemory] in a segment: a ring area in mapped guest memory, or in native memory of our own.
public final class MappedMemory implements SharedMemory {

    // Plain accesses need no alignment. A guest that puts its descriptors at an odd address breaks
    // the specification and gets what it deserves, but no exception.
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    // Ordered accesses are atomic, and only an aligned word can be.
    private static final VarHandle ORDERED_U16 =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private final MemorySegment area;

    /// @param area native memory
    /// @throws IllegalArgumentException if it begins at an odd address: the index of a ring could
    ///     not be read in one go there (virtio 1.3, 2.7: the available ring is aligned to 2, the
    ///     used ring to 4)
    public MappedMemory(MemorySegment area) {
        if (!area.isNative() || (area.address() & 1) != 0) {
            throw new IllegalArgumentException("no place for a ring: " + area);
        }
        this.area = area;
    }

    @Override
    public short load16(long offset) {
        return area.get(U16, offset);
    }

    @Override
    public int load32(long offset) {
        return area.get(U32, offset);
    }

    @Override
    public long load64(long offset) {
        return area.get(U64, offset);
    }

    @Override
    public void store16(long offset, short value) {
        area.set(U16, offset, value);
    }

    @Override
    public void store32(long offset, int value) {
        area.set(U32, offset, value);
    }

    @Override
    public void store64(long offset, long value) {
        area.set(U64, offset, value);
    }

    @Override
    public short loadAcquire16(long offset) {
        return (short) ORDERED_U16.getAcquire(area, offset);
    }

    @Override
    public void storeRelease16(long offset, short value) {
        ORDERED_U16.setRelease(area, offset, value);
    }

    @Override
    public void fullFence() {
        VarHandle.fullFence();
    }
}
