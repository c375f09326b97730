package vitrine.virtqueue;

/// Arithmetic on ring indexes.
///
/// `avail.idx` and `used.idx` count everything that was ever published. They have 16 bits, run
/// freely and wrap at 65536, *not* at the size of the queue: entry `idx` lies in slot `idx mod
/// size`, and "full" and "empty" need no extra bit to be told apart. Here an index is an `int`
/// from 0 to 65535.
public final class RingIndex {

    private static final int MASK = 0xFFFF;

    private RingIndex() {}

    /// The index as an `int`, from the 16 bits that stand in memory.
    public static int of(short bits) {
        return bits & MASK;
    }

    /// The index that follows `index`.
    public static int after(int index) {
        return (index + 1) & MASK;
    }

    /// How many steps forward lead from `from` to `to`, across the wrap if need be.
    public static int distance(int from, int to) {
        return (to - from) & MASK;
    }

    /// Whether the entry that the sleeper waits for is among the entries just published.
    ///
    /// The sleeper wrote `event`: "wake me when entry number `event` is filled". The index now
    /// stands at `index`, so the last `published` entries are `index - published … index - 1`.
    /// With `index = 12` and `published = 3`:
    ///
    /// ```
    ///    7    8  │  9   10   11  │  12   13
    ///            └──── new ──────┘  index
    /// ```
    ///
    /// the answer is yes for the events 9, 10 and 11. It is no for 8, which was filled before (who
    /// filled it has decided then), and no for 12, which is not there yet. Both sides use this one
    /// formula (virtio 1.3, 2.7.7.2 and 2.7.10.1).
    public static boolean passed(int event, int index, int published) {
        return distance(after(event), index) < published;
    }
}
