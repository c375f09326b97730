package vitrine.virtqueue;

import vitrine.memory.SharedMemory;

/// Where each field of a packed virtqueue lies, who writes it, and with which memory order.
///
/// ```
/// field                 at          type         written by
/// ── descriptor area: the ring ────────────────────────────────────────────────────────────────
/// desc[i].addr          16·i        u64          driver
/// desc[i].len           16·i + 8    u32          driver  length; device  bytes written
/// desc[i].id            16·i + 12   u16          driver  names the chain; device  says it again
/// desc[i].flags         16·i + 14   u16          both    RELEASE: the rest of the chain is there
/// ── driver area, device area: [EventSuppression] ─────────────────────────────────────────────
/// ```
///
/// There is one ring, and both sides go round it. The driver offers a chain in consecutive entries,
/// the device writes one entry for the whole chain over the place of the first chain that is not
/// back yet, not over the chain's own, and skips as many entries as the chain had. So order is that
/// of completion, and nobody needs an index: bit 7 of an entry's flags (*avail*) and bit 15
/// (*used*) say whose it is, seen from one who knows in which lap they are:
///
/// | avail | used | means, in a lap with wrap counter *w* |
/// |---|---|---|
/// | *w* | not *w* | offered by the driver |
/// | *w* | *w* | given back by the device |
///
/// All fields are little-endian (virtio 1.3, 2.8).
public final class PackedRing {

    private static final int AVAIL = 1 << 7;
    private static final int USED = 1 << 15;
    private static final long LENGTH = 8;
    private static final long ID = 12;
    private static final long FLAGS = 14;

    private final RingAreas areas;
    private final SharedMemory ring;
    private final Lap lap;

    /// A ring in the three given areas.
    ///
    /// @throws IllegalArgumentException if a queue cannot have that size
    public PackedRing(RingAreas areas) {
        if (!isPossibleSize(areas.size())) {
            throw new IllegalArgumentException("a packed queue of " + areas.size() + " entries");
        }
        this.areas = areas;
        this.ring = areas.descriptors();
        this.lap = new Lap(areas.size());
    }

    /// Whether a packed queue may have `size` entries: any number up to 32768 (virtio 1.3, 2.8).
    public static boolean isPossibleSize(int size) {
        return size >= 1 && size <= RingFormat.MAX_SIZE;
    }

    /// The number of entries.
    public int size() {
        return areas.size();
    }

    /// When the driver wants to be called.
    public EventSuppression driverEvents() {
        return new EventSuppression(areas.driver(), lap);
    }

    /// When the device wants to be kicked.
    public EventSuppression deviceEvents() {
        return new EventSuppression(areas.device(), lap);
    }

    /// The position so many entries further on, in the next lap if need be.
    public int after(int position, int entries) {
        return lap.after(position, entries);
    }

    /// How many entries lie between two positions, forward.
    public int distance(int from, int to) {
        return lap.distance(from, to);
    }

    /// Device: whether the driver has offered the chain that begins there. Whoever sees that it has
    /// sees the whole chain, and the request.
    public boolean acquireIsAvailable(int position) {
        int flags = acquireFlags(position);
        boolean wrap = lap.wrapCounter(position);
        return is(flags, AVAIL) == wrap && is(flags, USED) != wrap;
    }

    /// Driver: whether the device has given back a chain there. Whoever sees that it has sees
    /// which, and the reply.
    public boolean acquireIsUsed(int position) {
        int flags = acquireFlags(position);
        boolean wrap = lap.wrapCounter(position);
        return is(flags, AVAIL) == wrap && is(flags, USED) == wrap;
    }

    /// Device: copies the descriptor there, each field once. `next` of it is the chain's id, not
    /// checked.
    public Descriptor descriptor(int position) {
        return PackedRing.descriptor(ring, lap.entry(position));
    }

    /// Driver: fills an entry, all but its flags.
    public void putDescriptor(int position, Descriptor descriptor) {
        long at = offset(position);
        ring.store64(at, descriptor.address());
        ring.store32(at + LENGTH, (int) descriptor.length());
        ring.store16(at + ID, (short) descriptor.next());
    }

    /// Driver: offers an entry that is not the first of its chain.
    public void putAvailable(int position, int flags) {
        ring.store16(offset(position) + FLAGS, availableFlags(position, flags));
    }

    /// Driver: offers the first entry of a chain, last of all, and with it the others.
    public void releaseAvailable(int position, int flags) {
        ring.storeRelease16(offset(position) + FLAGS, availableFlags(position, flags));
    }

    /// Device: says there which chain is back, and how many bytes were written.
    public void putUsed(int position, int id, long written) {
        long at = offset(position);
        ring.store32(at + LENGTH, (int) written);
        ring.store16(at + ID, (short) id);
    }

    /// Device: gives the chain back.
    public void releaseUsed(int position, int flags) {
        boolean wrap = lap.wrapCounter(position);
        ring.storeRelease16(offset(position) + FLAGS, (short) (flags | bit(AVAIL, wrap) | bit(USED, wrap)));
    }

    /// Driver: the id that the device wrote there, 0 to 65535, not checked.
    public int usedId(int position) {
        return Short.toUnsignedInt(ring.load16(offset(position) + ID));
    }

    /// Driver: how many bytes the device says it wrote, 0 to 2^32 - 1, not checked.
    public long usedWritten(int position) {
        return Integer.toUnsignedLong(ring.load32(offset(position) + LENGTH));
    }

    /// Keeps every load after it from being done before the stores ahead of it have become visible
    /// to the other side. See the package comment.
    public void fullFence() {
        ring.fullFence();
    }

    /// The entry of a table as a descriptor: of this ring, or of an indirect table, where the id
    /// means nothing.
    static Descriptor descriptor(SharedMemory table, int index) {
        long at = (long) Descriptor.BYTES * index;
        return new Descriptor(
                table.load64(at),
                Integer.toUnsignedLong(table.load32(at + LENGTH)),
                Short.toUnsignedInt(table.load16(at + FLAGS)),
                Short.toUnsignedInt(table.load16(at + ID)));
    }

    /// Writes an entry of an indirect table: the device finds it through the entry that points
    /// there, so all stores are plain.
    public static void putIndirect(SharedMemory table, int index, Descriptor descriptor) {
        long at = (long) Descriptor.BYTES * index;
        table.store64(at, descriptor.address());
        table.store32(at + LENGTH, (int) descriptor.length());
        table.store16(at + ID, (short) 0);
        table.store16(at + FLAGS, (short) descriptor.flags());
    }

    /// Where a side stands, as 16 bits; see [Lap].
    int toWords(int position) {
        return lap.toWords(position);
    }

    int ofWords(int words) {
        return lap.ofWords(words);
    }

    private short availableFlags(int position, int flags) {
        boolean wrap = lap.wrapCounter(position);
        return (short) (flags | bit(AVAIL, wrap) | bit(USED, !wrap));
    }

    private int acquireFlags(int position) {
        return Short.toUnsignedInt(ring.loadAcquire16(offset(position) + FLAGS));
    }

    private long offset(int position) {
        return (long) Descriptor.BYTES * lap.entry(position);
    }

    private static boolean is(int flags, int bit) {
        return (flags & bit) != 0;
    }

    private static int bit(int bit, boolean on) {
        return on ? bit : 0;
    }
}
