package vitrine.virtqueue;

/// Arithmetic on places in a packed ring.
///
/// A side of a packed queue remembers which entry comes next, and a *wrap counter*, one bit that is
/// 1 in the first lap round the ring and changes in each. Together they are a position here: a
/// number from 0 to `2 * size - 1`, which counts entries over two laps.
///
/// ```
/// position   0    1  …  size-1 │ size … 2·size-1 │ 0 again
/// entry      0    1  …  size-1 │ 0    …   size-1 │
/// wrap           1             │        0        │
/// ```
///
/// In shared memory and in vhost-user messages the same stands in 16 bits: the entry in the lower
/// 15, the wrap counter in the highest (virtio 1.3, 2.8.1 and 2.8.10).
///
/// @param size entries of the ring
record Lap(int size) {

    private static final int WRAP = 1 << 15;
    private static final int ENTRY = WRAP - 1;

    /// The position so many entries further on.
    int after(int position, int entries) {
        return (position + entries) % (2 * size);
    }

    /// How many steps forward lead from `from` to `to`.
    int distance(int from, int to) {
        return Math.floorMod(to - from, 2 * size);
    }

    /// Which entry of the ring it is.
    int entry(int position) {
        return position % size;
    }

    /// Whether the wrap counter is 1 there.
    boolean wrapCounter(int position) {
        return position < size;
    }

    /// Whether the entry at position `event` is among the last `published` before `position`. The
    /// same question as [RingIndex#passed], and the same answer.
    boolean passed(int event, int position, int published) {
        return distance(after(event, 1), position) < published;
    }

    /// The position as 16 bits.
    int toWords(int position) {
        return entry(position) | (wrapCounter(position) ? WRAP : 0);
    }

    /// The position that the lower 16 bits of `word` say. Whoever wrote them may have lied: an
    /// entry that the ring does not have is taken for one that it has.
    int ofWords(int word) {
        int entry = (word & ENTRY) % size;
        return (word & WRAP) != 0 ? entry : size + entry;
    }

    /// Whether 16 bits say a position of this ring.
    boolean isPosition(int word) {
        return (word & ENTRY) < size;
    }
}
