package vitrine.virtqueue;

import java.util.Optional;
import vitrine.memory.AddressSpace;

/// A split virtqueue from the device's side. Read the table in the package comment first.
///
/// Each comment below says which letter of the other side it pairs with: (A) to (D) are the
/// driver's, in the driver's `SplitDriverQueue`; (1) to (4) are ours.
public final class SplitDeviceQueue implements DeviceQueue {

    private static final long MAX_WRITTEN = 0xFFFF_FFFFL; // used.ring[].len has 32 bits

    private final SplitRing ring;
    private final ChainWalk walk;
    private final boolean eventIndex;

    private int nextAvail; // the available entry that we look at next
    private int nextUsed; // the used entry that we fill next
    private int pushedSinceDecision; // entries that the driver has not been called for yet

    /// A queue that goes on at available entry `nextAvail`, 0 for a new one.
    ///
    /// Where we are in the used ring is read from guest memory, for it is written there by the
    /// device only, and by nobody while the queue stands still (vhost-user: "Ring states").
    ///
    /// @param eventIndex whether VIRTIO_F_EVENT_IDX was negotiated
    public SplitDeviceQueue(SplitRing ring, AddressSpace memory, boolean eventIndex, int nextAvail) {
        this.ring = ring;
        this.walk = new ChainWalk(ring, memory);
        this.eventIndex = eventIndex;
        this.nextAvail = RingIndex.of((short) nextAvail);
        this.nextUsed = ring.ownUsedIdx();
    }

    /// Takes the next request off the available ring, or returns empty when there is none.
    ///
    /// The driver (A) fills descriptors, (B) puts the number of the first one, the head, into the
    /// ring and (C) moves `avail.idx` on with a *release* store. We load `avail.idx` with
    /// *acquire*: whoever sees C sees A and B too. That pairing is all that makes the plain loads
    /// below it correct (virtio 1.3, 2.7.13).
    @Override
    public Optional<DescriptorChain> pop() throws BrokenQueueException, BrokenChainException {
        int availIdx = ring.acquireAvailIdx(); // pairs with C
        int waiting = RingIndex.distance(nextAvail, availIdx);
        if (waiting == 0) {
            return Optional.empty();
        }
        // A head can be in the ring only once at a time. An index further ahead than that is a
        // lie, and believing it would mean serving old entries again, up to 65535 of them.
        if (waiting > ring.size()) {
            throw new BrokenQueueException(waiting + " requests announced in a ring of " + ring.size());
        }
        int head = ring.availEntry(nextAvail); // reads B
        if (head >= ring.size()) {
            throw new BrokenQueueException("head " + head + " in a ring of " + ring.size());
        }
        nextAvail = RingIndex.after(nextAvail); // before the walk: a broken chain is behind us too
        return Optional.of(walk.follow(head)); // reads A
    }

    @Override
    public boolean waiting() {
        return ring.acquireAvailIdx() != nextAvail;
    }

    /// Puts a chain into the used ring.
    ///
    /// The reply lies in the chain's writable buffers already (1). The entry (2) may be a plain
    /// store like the reply, because (3) is a *release*: a driver that sees the new index sees the
    /// entry and the reply (virtio 1.3, 2.7.8.2).
    @Override
    public void push(int head, long written) {
        if (written < 0 || written > MAX_WRITTEN) {
            throw new IllegalArgumentException(written + " bytes written to one chain");
        }
        ring.putUsedEntry(nextUsed, head, written); // 2
        nextUsed = RingIndex.after(nextUsed);
        ring.releaseUsedIdx(nextUsed); // 3
        pushedSinceDecision++;
    }

    /// Whether the driver sleeps and must be called.
    ///
    /// We have published (3) and now look at the driver's wish. The driver writes its wish (D) and
    /// then looks at `used.idx` again. Each side stores one thing and loads the other's, and
    /// without a full fence in between both loads may come too early: we miss the wish, the driver
    /// misses the entry and sleeps for ever. With the fence on both sides at least one of them sees
    /// the other (virtio 1.3, 2.7.7.2).
    @Override
    public boolean driverWantsCall() {
        int pushed = pushedSinceDecision;
        pushedSinceDecision = 0;
        if (pushed == 0) {
            return false;
        }
        ring.fullFence(); // between 3 and reading D
        return eventIndex
                ? RingIndex.passed(ring.usedEvent(), nextUsed, pushed)
                : (ring.availFlags() & SplitRing.NO_INTERRUPT) == 0;
    }

    /// The same handshake with the roles exchanged: our wish (4), a full fence, and one more look
    /// at what the driver published (virtio 1.3, 2.7.10.2).
    @Override
    public boolean askForKick() {
        if (eventIndex) {
            ring.putAvailEvent(nextAvail); // 4: "kick me when you fill this entry"
        } else {
            ring.putUsedFlags(0); // 4
        }
        ring.fullFence(); // between 4 and reading C
        return waiting();
    }

    /// Without event index a flag says so. With it nothing needs saying: `avail_event` names an
    /// entry that has been filled already, and the driver kicks only when it fills that one.
    @Override
    public void refuseKicks() {
        if (!eventIndex) {
            ring.putUsedFlags(SplitRing.NO_NOTIFY);
        }
    }

    @Override
    public int size() {
        return ring.size();
    }

    @Override
    public int base() {
        return nextAvail;
    }
}
