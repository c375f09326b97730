package vitrine.virtqueue;

import java.util.Optional;
import vitrine.memory.AddressSpace;

/// A packed virtqueue from the device's side. The order of the accesses is in the comments: what is
/// released by the driver is acquired here, and the other way round, as with [SplitDeviceQueue],
/// whose letters and numbers they are.
///
/// What is new beside a split queue is that the chains have no fixed places. The device remembers
/// how many entries each chain took, by its id, and leaves so many free when it gives it back.
public final class PackedDeviceQueue implements DeviceQueue {

    /// Both sides at entry 0 of their first lap, where the wrap counters are 1.
    static final int FRESH_BASE = 0x8000_8000;

    private static final long MAX_WRITTEN = 0xFFFF_FFFFL; // the field has 32 bits
    private static final int USED_SHIFT = 16;

    private final PackedRing ring;
    private final EventSuppression driverEvents;
    private final EventSuppression deviceEvents;
    private final PackedWalk walk;
    private final boolean eventIndex;
    private final int[] entriesOf; // by id: how many entries the chain took; 0: the driver has it

    private int nextAvail; // the position where the next chain is looked for
    private int nextUsed; // the position where the next chain is given back
    private int pushedSinceDecision; // entries that the driver has not been called for yet

    /// The device's side of a queue that may have been in use before.
    ///
    /// @param memory what the addresses in descriptors mean
    /// @param eventIndex whether VIRTIO_F_EVENT_IDX was negotiated
    /// @param base where to go on; must be possible
    PackedDeviceQueue(PackedRing ring, AddressSpace memory, boolean eventIndex, int base) {
        this.ring = ring;
        this.driverEvents = ring.driverEvents();
        this.deviceEvents = ring.deviceEvents();
        this.walk = new PackedWalk(ring, memory);
        this.eventIndex = eventIndex;
        this.entriesOf = new int[ring.size()];
        this.nextAvail = ring.ofWords(base);
        this.nextUsed = ring.ofWords(base >>> USED_SHIFT);
    }

    /// Whether a queue of that size can stand there: both entries exist, and the device has not
    /// given back what it has not taken.
    static boolean isPossibleBase(int base, int size) {
        Lap lap = new Lap(size);
        return lap.isPosition(base)
                && lap.isPosition(base >>> USED_SHIFT)
                && lap.distance(lap.ofWords(base >>> USED_SHIFT), lap.ofWords(base)) <= size;
    }

    /// Takes the next chain, or returns empty if there is none.
    ///
    /// The driver (A) fills all entries of a chain, and (C) the flags of the first one with a
    /// *release* store. We load them with *acquire*: whoever sees C sees A, and the request
    /// (virtio 1.3, 2.8.21.1).
    @Override
    public Optional<DescriptorChain> pop() throws BrokenQueueException, BrokenChainException {
        if (!waiting()) {
            return Optional.empty();
        }
        // What the device has cannot be offered again. A driver that says so goes round and round.
        int free = ring.size() - ring.distance(nextUsed, nextAvail);
        int entries = walk.read(nextAvail, free); // reads A
        int id = walk.id();
        if (id >= ring.size() || entriesOf[id] != 0) {
            throw new BrokenQueueException(
                    "chain " + id + (id < ring.size() ? " twice" : "") + " in a ring of " + ring.size());
        }
        entriesOf[id] = entries;
        nextAvail = ring.after(nextAvail, entries); // before a look at it: a broken chain is behind us too
        return Optional.of(walk.chain());
    }

    @Override
    public boolean waiting() {
        return ring.acquireIsAvailable(nextAvail); // pairs with C
    }

    /// Gives a chain back. The reply lies in the chain's writable buffers already (1). What the
    /// entry says (2) may be a plain store, because the flags (3) are *released*
    /// (virtio 1.3, 2.8.22).
    @Override
    public void push(int head, long written) {
        if (written < 0 || written > MAX_WRITTEN) {
            throw new IllegalArgumentException(written + " bytes written to one chain");
        }
        int entries = entriesOf[head];
        if (entries == 0) {
            throw new IllegalArgumentException("chain " + head + " is the driver's");
        }
        entriesOf[head] = 0;
        ring.putUsed(nextUsed, head, written); // 2
        ring.releaseUsed(nextUsed, written > 0 ? Descriptor.WRITE : 0); // 3
        nextUsed = ring.after(nextUsed, entries);
        pushedSinceDecision += entries;
    }

    /// Whether the driver sleeps and must be called; with a full fence, for the reason that
    /// [SplitDeviceQueue#driverWantsCall] gives.
    @Override
    public boolean driverWantsCall() {
        int pushed = pushedSinceDecision;
        pushedSinceDecision = 0;
        if (pushed == 0) {
            return false;
        }
        ring.fullFence(); // between 3 and reading D
        return driverEvents.wants(nextUsed, pushed);
    }

    @Override
    public boolean askForKick() {
        if (eventIndex) {
            deviceEvents.askAt(nextAvail); // 4: "kick me when you offer this entry"
        } else {
            deviceEvents.askAlways(); // 4
        }
        ring.fullFence(); // between 4 and reading C
        return waiting();
    }

    /// Says so in any case: other than in a split queue, the entry that was named last is soon
    /// reached again.
    @Override
    public void refuseKicks() {
        deviceEvents.refuse();
    }

    @Override
    public int size() {
        return ring.size();
    }

    /// Both positions: the lower half where the next chain is taken, the upper half where the next
    /// one is given back.
    @Override
    public int base() {
        return ring.toWords(nextUsed) << USED_SHIFT | ring.toWords(nextAvail);
    }
}
