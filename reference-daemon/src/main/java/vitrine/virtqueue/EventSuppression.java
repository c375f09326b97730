package vitrine.virtqueue;

import vitrine.memory.SharedMemory;

/// How one side of a packed queue says when it wants to hear from the other: the driver in the
/// driver area, about calls; the device in the device area, about kicks.
///
/// ```
/// offset  0          2       4
///         ├ off_wrap ┼ flags ┤      written by the sleeper only
/// ```
///
/// `flags` is 0 for "always", 1 for "never", 2 for "at the entry and lap that off_wrap says", the
/// last with event index only. Both go into memory with one store, for a waker that saw the new
/// flags beside an old entry would wait for the wrong one (virtio 1.3, 2.8.10).
public final class EventSuppression {

    /// The size of the area in bytes.
    public static final int BYTES = 4;

    private static final int FLAGS_SHIFT = 16;
    private static final int FLAGS = 3; // the others are reserved, and mean nothing
    private static final int ALWAYS = 0;
    private static final int NEVER = 1;
    private static final int AT_ENTRY = 2;

    private final SharedMemory area;
    private final Lap lap;

    EventSuppression(SharedMemory area, Lap lap) {
        this.area = area;
        this.lap = lap;
    }

    /// Sleeper: wake me for anything.
    public void askAlways() {
        store(ALWAYS, 0);
    }

    /// Sleeper, awake: I look by myself.
    public void refuse() {
        store(NEVER, 0);
    }

    /// Sleeper: wake me when the entry at this position changes hands.
    public void askAt(int position) {
        store(AT_ENTRY, lap.toWords(position));
    }

    /// Waker: whether the sleeper is to be woken, now that it stands at `position` itself and the
    /// last `published` entries are new.
    public boolean wants(int position, int published) {
        int both = area.load32(0);
        return switch (both >>> FLAGS_SHIFT & FLAGS) {
            case NEVER -> false;
            case AT_ENTRY -> lap.passed(lap.ofWords(both), position, published);
            default -> true;
        };
    }

    private void store(int flags, int entry) {
        area.store32(0, flags << FLAGS_SHIFT | entry);
    }
}
