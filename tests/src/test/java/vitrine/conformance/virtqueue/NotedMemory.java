package vitrine.conformance.virtqueue;

import java.util.List;
import vitrine.memory.SharedMemory;

/// Shared memory that writes down every access, with its order.
///
/// On x86 a plain store behaves like a release and a plain load like an acquire, so a missing one
/// cannot be seen to fail there. It can be seen in the notes, on any processor.
final class NotedMemory implements SharedMemory {

    /// How memory was touched.
    enum Kind {
        LOAD,
        LOAD_ACQUIRE,
        STORE,
        STORE_RELEASE,
        FULL_FENCE
    }

    /// One access. For a fence, only `view.side()` means something.
    record Access(Bench.View view, Kind kind, long offset, long value) {
        boolean isStore() {
            return kind == Kind.STORE || kind == Kind.STORE_RELEASE;
        }

        boolean isLoad() {
            return kind == Kind.LOAD || kind == Kind.LOAD_ACQUIRE;
        }
    }

    private final Bench.View view;
    private final SharedMemory memory;
    private final List<Access> notes;

    /// All views of one queue write into the same notes.
    NotedMemory(Bench.View view, SharedMemory memory, List<Access> notes) {
        this.view = view;
        this.memory = memory;
        this.notes = notes;
    }

    @Override
    public short load16(long offset) {
        return (short) note(Kind.LOAD, offset, memory.load16(offset));
    }

    @Override
    public int load32(long offset) {
        return (int) note(Kind.LOAD, offset, memory.load32(offset));
    }

    @Override
    public long load64(long offset) {
        return note(Kind.LOAD, offset, memory.load64(offset));
    }

    @Override
    public void store16(long offset, short value) {
        memory.store16(offset, (short) note(Kind.STORE, offset, value));
    }

    @Override
    public void store32(long offset, int value) {
        memory.store32(offset, (int) note(Kind.STORE, offset, value));
    }

    @Override
    public void store64(long offset, long value) {
        memory.store64(offset, note(Kind.STORE, offset, value));
    }

    @Override
    public short loadAcquire16(long offset) {
        return (short) note(Kind.LOAD_ACQUIRE, offset, memory.loadAcquire16(offset));
    }

    @Override
    public void storeRelease16(long offset, short value) {
        memory.storeRelease16(offset, (short) note(Kind.STORE_RELEASE, offset, value));
    }

    @Override
    public void fullFence() {
        note(Kind.FULL_FENCE, 0, 0);
        memory.fullFence();
    }

    private long note(Kind kind, long offset, long value) {
        notes.add(new Access(view, kind, offset, value));
        return value;
    }
}
