package vitrine.guest.driver;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import vitrine.virtqueue.Descriptor;
import vitrine.virtqueue.RingIndex;
import vitrine.virtqueue.SplitRing;

/// A split virtqueue from the driver's side: the mirror of `SplitDeviceQueue`. The letters and
/// numbers in the comments are those of the package comment of `vitrine.virtqueue`.
///
/// Unlike Linux, it takes free descriptors in random order, because a driver that hands them out in
/// ring order hides mistakes: the entry that a device reads too early then holds, by chance, the
/// right number.
///
/// @param <T> what the driver knows its requests by
public final class SplitDriverQueue<T> implements DriverQueue<T> {

    private final SplitRing ring;
    private final boolean eventIndex;
    private final IndirectTables tables;

    private final FreeNumbers free; // descriptors
    private final Given<T> given; // by head: what the device has
    private final int[][] descriptorsOf; // by head: where it lies

    private int nextAvail; // the available entry that we fill next
    private int nextUsed; // the used entry that we look at next
    private int addedSinceDecision; // entries that the device has not been kicked for yet

    /// A new queue; the memory of the ring is all zero.
    ///
    /// @param eventIndex whether VIRTIO_F_EVENT_IDX was negotiated
    /// @param tables where indirect tables go, or [IndirectTables#none()]
    /// @param random decides the order of descriptors; the same seed gives the same ring
    public SplitDriverQueue(SplitRing ring, boolean eventIndex, IndirectTables tables, RandomGenerator random) {
        this.ring = ring;
        this.eventIndex = eventIndex;
        this.tables = tables;
        free = new FreeNumbers(ring.size(), random);
        given = new Given<>(ring.size());
        descriptorsOf = new int[ring.size()][];
    }

    /// Descriptors (A) and the ring entry (B) are plain stores as the request was; (C) is a
    /// *release*, so a device that sees C sees all of it (virtio 1.3, 2.7.13).
    @Override
    public OptionalInt add(List<GuestRange> readable, List<GuestRange> writable, T token) {
        Descriptor[] chain = DriverQueue.describe(readable, writable);
        if (free.count() == 0) {
            return OptionalInt.empty();
        }
        int head = free.pick();
        // Linux puts every chain of more than one element into a table of its own. It then takes
        // one place in the queue, whatever its length.
        Optional<IndirectTables.Table> table =
                chain.length > 1 ? tables.tableFor(head, chain.length) : Optional.empty();
        int places = table.isPresent() ? 1 : chain.length;
        if (places > free.count()) {
            return OptionalInt.empty();
        }
        int[] descriptors = takeFree(places); // the first one is the head
        if (table.isPresent()) {
            writeIndirect(chain, table.get(), head); // A
        } else {
            writeDirect(chain, descriptors); // A
        }
        descriptorsOf[head] = descriptors;
        given.note(head, new Given.Chain<>(token, places, GuestRange.total(writable)));

        ring.putAvailEntry(nextAvail, head); // B
        nextAvail = RingIndex.after(nextAvail);
        ring.releaseAvailIdx(nextAvail); // C
        addedSinceDecision++;
        return OptionalInt.of(head);
    }

    /// The counterpart of `SplitDeviceQueue.askForKick`: we publish (C), a full fence, and look at
    /// the device's wish (4) (virtio 1.3, 2.7.10.1 and 2.7.13.4.1).
    @Override
    public boolean deviceWantsKick() {
        int added = addedSinceDecision;
        addedSinceDecision = 0;
        if (added == 0) {
            return false;
        }
        ring.fullFence(); // between C and reading 4
        return eventIndex
                ? RingIndex.passed(ring.availEvent(), nextAvail, added)
                : (ring.usedFlags() & SplitRing.NO_NOTIFY) == 0;
    }

    /// `used.idx` is loaded with *acquire* and pairs with (3): the entry (2) and the reply (1) are
    /// complete when the index says so (virtio 1.3, 2.7.14).
    @Override
    public Optional<Used<T>> poll() throws BrokenDeviceException {
        int usedIdx = ring.acquireUsedIdx(); // pairs with 3
        int waiting = RingIndex.distance(nextUsed, usedIdx);
        if (waiting == 0) {
            return Optional.empty();
        }
        if (waiting > ring.size()) {
            throw new BrokenDeviceException(waiting + " chains returned by a queue of " + ring.size());
        }
        long head = ring.usedHead(nextUsed); // reads 2
        long written = ring.usedWritten(nextUsed);
        Given.Chain<T> chain = given.takeBack(head, written);
        nextUsed = RingIndex.after(nextUsed);
        for (int descriptor : descriptorsOf[(int) head]) {
            free.giveBack(descriptor);
        }
        return Optional.of(new Used<>(chain.token(), (int) head, written));
    }

    /// The counterpart of `SplitDeviceQueue.driverWantsCall`: our wish (D), a full fence, and one
    /// more look at what the device published (virtio 1.3, 2.7.7.1).
    @Override
    public boolean askForCall() {
        if (eventIndex) {
            ring.putUsedEvent(nextUsed); // D: "call me when you fill this entry"
        } else {
            ring.putAvailFlags(0); // D
        }
        ring.fullFence(); // between D and reading 3
        return ring.acquireUsedIdx() != nextUsed;
    }

    /// With event index nothing needs saying: `used_event` names an entry that was filled long ago.
    @Override
    public void refuseCalls() {
        if (!eventIndex) {
            ring.putAvailFlags(SplitRing.NO_INTERRUPT);
        }
    }

    @Override
    public int outstanding() {
        return given.count();
    }

    @Override
    public int freeDescriptors() {
        return free.count();
    }

    /// The index of the available entry that is filled next, 0 to 65535.
    public int nextAvail() {
        return nextAvail;
    }

    /// Takes as many free descriptors, first the one picked last.
    private int[] takeFree(int count) {
        int[] descriptors = new int[count];
        descriptors[0] = free.take();
        for (int i = 1; i < count; i++) {
            descriptors[i] = free.pick();
            free.take();
        }
        return descriptors;
    }

    private void writeDirect(Descriptor[] chain, int[] descriptors) {
        for (int i = 0; i < chain.length; i++) {
            Descriptor descriptor = i + 1 < chain.length ? linked(chain[i], descriptors[i + 1]) : chain[i];
            descriptor.write(ring.descriptors(), descriptors[i]);
        }
    }

    private void writeIndirect(Descriptor[] chain, IndirectTables.Table table, int head) {
        for (int i = 0; i < chain.length; i++) {
            Descriptor descriptor = i + 1 < chain.length ? linked(chain[i], i + 1) : chain[i];
            descriptor.write(table.memory(), i);
        }
        long bytes = (long) Descriptor.BYTES * chain.length;
        new Descriptor(table.guestAddress(), bytes, Descriptor.INDIRECT, 0).write(ring.descriptors(), head);
    }

    private static Descriptor linked(Descriptor descriptor, int next) {
        return new Descriptor(descriptor.address(), descriptor.length(), descriptor.flags() | Descriptor.NEXT, next);
    }
}
