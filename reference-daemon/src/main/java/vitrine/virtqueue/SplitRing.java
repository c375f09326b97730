package vitrine.virtqueue;

import vitrine.memory.SharedMemory;

/// Where each field of a split virtqueue lies, who writes it, and with which memory order.
///
/// ```
/// field                 at          type         written by
/// ── descriptor area ──────────────────────────────────────────────────────────────────────────
/// desc[size]            0           Descriptor   driver
/// ── driver area, "available ring" ────────────────────────────────────────────────────────────
/// avail.flags           0           u16          driver  1 = do not call me (no event index)
/// avail.idx             2           u16          driver  RELEASE: all entries before it are there
/// avail.ring[size]      4           u16          driver  heads of chains
/// used_event            4 + 2·size  u16          driver  call me when you fill this used entry
/// ── device area, "used ring" ─────────────────────────────────────────────────────────────────
/// used.flags            0           u16          device  1 = do not kick me (no event index)
/// used.idx              2           u16          device  RELEASE: all entries before it are there
/// used.ring[size]       4           u32, u32     device  head of the chain, bytes written
/// avail_event           4 + 8·size  u16          device  kick me when you fill this avail entry
/// ```
///
/// All fields are little-endian (virtio 1.3, 2.7). The ring remembers nothing: how far each side
/// has got is the business of [SplitDeviceQueue] and of the driver. Indexes are as in
/// [RingIndex]; entry `index` lies in slot `index mod size`.
public final class SplitRing {

    /// In `avail.flags`: the driver asks not to be called. Only a hint, ignored with event index.
    public static final int NO_INTERRUPT = 1;

    /// In `used.flags`: the device asks not to be kicked. Only a hint, ignored with event index.
    public static final int NO_NOTIFY = 1;

    private static final long FLAGS = 0;
    private static final long IDX = 2;
    private static final long RING = 4;

    private final int size;
    private final SharedMemory desc;
    private final SharedMemory avail;
    private final SharedMemory used;

    /// A ring in the three given areas.
    ///
    /// @throws IllegalArgumentException if a queue cannot have that size
    public SplitRing(RingAreas areas) {
        if (!isPossibleSize(areas.size())) {
            throw new IllegalArgumentException("a split queue of " + areas.size() + " entries");
        }
        size = areas.size();
        desc = areas.descriptors();
        avail = areas.driver();
        used = areas.device();
    }

    /// Whether a split queue may have `size` entries: a power of two, at most
    /// [RingFormat#MAX_SIZE].
    static boolean isPossibleSize(int size) {
        return size >= 1 && size <= RingFormat.MAX_SIZE && Integer.bitCount(size) == 1;
    }

    /// How many bytes the driver area has, `used_event` included. It starts at a multiple of 2.
    static long availBytes(int size) {
        return usedEventOffset(size) + Short.BYTES;
    }

    /// How many bytes the device area has, `avail_event` included. It starts at a multiple of 4.
    static long usedBytes(int size) {
        return availEventOffset(size) + Short.BYTES;
    }

    /// The number of entries of each of the two rings, and of descriptors.
    public int size() {
        return size;
    }

    /// The descriptor table of the queue. See [Descriptor].
    public SharedMemory descriptors() {
        return desc;
    }

    /// Device: `avail.idx`. Whoever sees an index sees all that the driver wrote before it.
    public int acquireAvailIdx() {
        return RingIndex.of(avail.loadAcquire16(IDX));
    }

    /// Driver: publishes all entries before `index`, and all that was written for them.
    public void releaseAvailIdx(int index) {
        avail.storeRelease16(IDX, (short) index);
    }

    /// Device: the head of the chain in available entry `index`, 0 to 65535, not checked.
    public int availEntry(int index) {
        return Short.toUnsignedInt(avail.load16(availEntryOffset(index)));
    }

    /// Driver: puts the head of a chain into available entry `index`.
    public void putAvailEntry(int index, int head) {
        avail.store16(availEntryOffset(index), (short) head);
    }

    /// Device: the driver's wishes, [#NO_INTERRUPT] or 0.
    public int availFlags() {
        return Short.toUnsignedInt(avail.load16(FLAGS));
    }

    /// Driver: sets its wishes, [#NO_INTERRUPT] or 0.
    public void putAvailFlags(int flags) {
        avail.store16(FLAGS, (short) flags);
    }

    /// Device: the used entry at which the driver wants to be called.
    public int usedEvent() {
        return RingIndex.of(avail.load16(usedEventOffset(size)));
    }

    /// Driver: asks to be called when used entry `index` is filled.
    public void putUsedEvent(int index) {
        avail.store16(usedEventOffset(size), (short) index);
    }

    /// Driver: `used.idx`. Whoever sees an index sees the entries and the replies before it.
    public int acquireUsedIdx() {
        return RingIndex.of(used.loadAcquire16(IDX));
    }

    /// Device: publishes all entries before `index`, and all replies written for them.
    public void releaseUsedIdx(int index) {
        used.storeRelease16(IDX, (short) index);
    }

    /// Device: where `used.idx` stands. Only for the device itself, when it takes up a queue that
    /// it (or the daemon before it) had been serving.
    public int ownUsedIdx() {
        return RingIndex.of(used.load16(IDX));
    }

    /// Driver: the head that the device wrote into used entry `index`, 0 to 2^32 - 1, not checked.
    public long usedHead(int index) {
        return Integer.toUnsignedLong(used.load32(usedEntryOffset(index)));
    }

    /// Driver: how many bytes the device says it wrote, 0 to 2^32 - 1, not checked.
    public long usedWritten(int index) {
        return Integer.toUnsignedLong(used.load32(usedEntryOffset(index) + Integer.BYTES));
    }

    /// Device: fills used entry `index`.
    public void putUsedEntry(int index, int head, long written) {
        used.store32(usedEntryOffset(index), head);
        used.store32(usedEntryOffset(index) + Integer.BYTES, (int) written);
    }

    /// Driver: the device's wishes, [#NO_NOTIFY] or 0.
    public int usedFlags() {
        return Short.toUnsignedInt(used.load16(FLAGS));
    }

    /// Device: sets its wishes, [#NO_NOTIFY] or 0.
    public void putUsedFlags(int flags) {
        used.store16(FLAGS, (short) flags);
    }

    /// Driver: the available entry at which the device wants to be kicked.
    public int availEvent() {
        return RingIndex.of(used.load16(availEventOffset(size)));
    }

    /// Device: asks to be kicked when available entry `index` is filled.
    public void putAvailEvent(int index) {
        used.store16(availEventOffset(size), (short) index);
    }

    /// Keeps every load after it from being done before the stores ahead of it have become visible
    /// to the other side. Acquire and release do *not* give that. See the package comment.
    public void fullFence() {
        used.fullFence();
    }

    private long availEntryOffset(int index) {
        return RING + (long) Short.BYTES * slot(index);
    }

    private long usedEntryOffset(int index) {
        return RING + 2L * Integer.BYTES * slot(index);
    }

    private int slot(int index) {
        return index & (size - 1);
    }

    private static long usedEventOffset(int size) {
        return RING + (long) Short.BYTES * size;
    }

    private static long availEventOffset(int size) {
        return RING + 2L * Integer.BYTES * size;
    }
}
