package vitrine.tap;

import vitrine.memory.SharedMemory;
import vitrine.trace.Keys;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.Access;
import vitrine.trace.TraceEvent.Area;
import vitrine.trace.TraceEvent.RingAccess;

/// One area of a ring, each access to which is told to a trace: what, where, and in which order.
///
/// For whoever wants to see a ring work, word by word. It makes each access tens of times slower,
/// so a daemon that serves a real guest sets this tap only when it is asked to.
public final class TappedMemory implements SharedMemory {

    private final SharedMemory memory;
    private final Area area;
    private final Keys keys;
    private final Recorder recorder;

    /// @param memory the area itself
    /// @param area which one it is
    /// @param queue the number of the virtqueue
    /// @param recorder in the name of the side that uses this object
    public TappedMemory(SharedMemory memory, Area area, int queue, Recorder recorder) {
        this.memory = memory;
        this.area = area;
        this.keys = Keys.ofQueue(queue);
        this.recorder = recorder;
    }

    @Override
    public short load16(long offset) {
        short value = memory.load16(offset);
        tell(Access.LOAD_16, offset, Short.toUnsignedLong(value));
        return value;
    }

    @Override
    public int load32(long offset) {
        int value = memory.load32(offset);
        tell(Access.LOAD_32, offset, Integer.toUnsignedLong(value));
        return value;
    }

    @Override
    public long load64(long offset) {
        long value = memory.load64(offset);
        tell(Access.LOAD_64, offset, value);
        return value;
    }

    @Override
    public void store16(long offset, short value) {
        memory.store16(offset, value);
        tell(Access.STORE_16, offset, Short.toUnsignedLong(value));
    }

    @Override
    public void store32(long offset, int value) {
        memory.store32(offset, value);
        tell(Access.STORE_32, offset, Integer.toUnsignedLong(value));
    }

    @Override
    public void store64(long offset, long value) {
        memory.store64(offset, value);
        tell(Access.STORE_64, offset, value);
    }

    @Override
    public short loadAcquire16(long offset) {
        short value = memory.loadAcquire16(offset);
        tell(Access.LOAD_ACQUIRE_16, offset, Short.toUnsignedLong(value));
        return value;
    }

    @Override
    public void storeRelease16(long offset, short value) {
        memory.storeRelease16(offset, value);
        tell(Access.STORE_RELEASE_16, offset, Short.toUnsignedLong(value));
    }

    @Override
    public void fullFence() {
        memory.fullFence();
        tell(Access.FULL_FENCE, 0, 0);
    }

    private void tell(Access access, long offset, long value) {
        recorder.add(new RingAccess(recorder.stamp(keys), access, area, offset, value));
    }
}
