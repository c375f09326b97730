package vitrine.memory;

/// A ring area that the device writes to: what it stores is logged, while there is a [DirtyLog].
///
/// The front end says with each ring where its used ring is to be logged. Nobody here needs to
/// believe that: a ring lies in a region, and a region has a guest address.
public final class LoggedMemory implements SharedMemory {

    private final SharedMemory area;
    private final GuestMemory memory;
    private final long guestAddress;

    /// @param area where the words are
    /// @param memory what it is a part of
    /// @param guestAddress of its first byte
    public LoggedMemory(SharedMemory area, GuestMemory memory, long guestAddress) {
        this.area = area;
        this.memory = memory;
        this.guestAddress = guestAddress;
    }

    @Override
    public short load16(long offset) {
        return area.load16(offset);
    }

    @Override
    public int load32(long offset) {
        return area.load32(offset);
    }

    @Override
    public long load64(long offset) {
        return area.load64(offset);
    }

    @Override
    public void store16(long offset, short value) {
        area.store16(offset, value);
        memory.wrote(guestAddress + offset, Short.BYTES);
    }

    @Override
    public void store32(long offset, int value) {
        area.store32(offset, value);
        memory.wrote(guestAddress + offset, Integer.BYTES);
    }

    @Override
    public void store64(long offset, long value) {
        area.store64(offset, value);
        memory.wrote(guestAddress + offset, Long.BYTES);
    }

    @Override
    public short loadAcquire16(long offset) {
        return area.loadAcquire16(offset);
    }

    @Override
    public void storeRelease16(long offset, short value) {
        area.storeRelease16(offset, value);
        memory.wrote(guestAddress + offset, Short.BYTES);
    }

    @Override
    public void fullFence() {
        area.fullFence();
    }
}
