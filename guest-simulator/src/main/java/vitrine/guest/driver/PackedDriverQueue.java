package vitrine.guest.driver;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import vitrine.virtqueue.Descriptor;
import vitrine.virtqueue.EventSuppression;
import vitrine.virtqueue.PackedRing;

/// A packed virtqueue from the driver's side: the mirror of `PackedDeviceQueue`.
///
/// The entries of the ring are used in order, so there is nothing to choose. What is taken at
/// random are the ids that chains are called by: a device that takes an id for an entry is found
/// out.
///
/// @param <T> what the driver knows its requests by
public final class PackedDriverQueue<T> implements DriverQueue<T> {

    private final PackedRing ring;
    private final EventSuppression driverEvents;
    private final EventSuppression deviceEvents;
    private final boolean eventIndex;
    private final IndirectTables tables;

    private final FreeNumbers freeIds; // never fewer than free entries
    private final Given<T> given; // by id: what the device has

    private int nextAvail; // the position that we fill next
    private int nextUsed; // the position that we look at next
    private int freeEntries; // from nextAvail on
    private int addedSinceDecision; // entries that the device has not been kicked for yet

    /// A new queue; the memory of the ring is all zero.
    ///
    /// @param eventIndex whether VIRTIO_F_EVENT_IDX was negotiated
    /// @param tables where indirect tables go, or [IndirectTables#none()]
    /// @param random decides what chains are called
    public PackedDriverQueue(PackedRing ring, boolean eventIndex, IndirectTables tables, RandomGenerator random) {
        this.ring = ring;
        this.driverEvents = ring.driverEvents();
        this.deviceEvents = ring.deviceEvents();
        this.eventIndex = eventIndex;
        this.tables = tables;
        freeIds = new FreeNumbers(ring.size(), random);
        freeEntries = ring.size();
        given = new Given<>(ring.size());
    }

    /// All entries (A) are plain stores as the request was, but for the flags of the first one (C):
    /// they are *released*, and a device that sees them sees all of it (virtio 1.3, 2.8.21).
    @Override
    public OptionalInt add(List<GuestRange> readable, List<GuestRange> writable, T token) {
        Descriptor[] chain = DriverQueue.describe(readable, writable);
        if (freeEntries == 0) {
            return OptionalInt.empty();
        }
        int id = freeIds.pick();
        Optional<IndirectTables.Table> table = chain.length > 1 ? tables.tableFor(id, chain.length) : Optional.empty();
        Descriptor[] entries = table.isPresent() ? new Descriptor[] {inTable(chain, table.get())} : chain;
        if (entries.length > freeEntries) {
            return OptionalInt.empty();
        }
        freeIds.take();
        given.note(id, new Given.Chain<>(token, entries.length, GuestRange.total(writable)));
        for (int i = 0; i < entries.length; i++) {
            ring.putDescriptor(ring.after(nextAvail, i), named(entries[i], id)); // A
        }
        for (int i = 1; i < entries.length; i++) {
            ring.putAvailable(ring.after(nextAvail, i), flags(entries, i)); // A
        }
        ring.releaseAvailable(nextAvail, flags(entries, 0)); // C
        nextAvail = ring.after(nextAvail, entries.length);
        freeEntries -= entries.length;
        addedSinceDecision += entries.length;
        return OptionalInt.of(id);
    }

    @Override
    public boolean deviceWantsKick() {
        int added = addedSinceDecision;
        addedSinceDecision = 0;
        if (added == 0) {
            return false;
        }
        ring.fullFence(); // between C and reading 4
        return deviceEvents.wants(nextAvail, added);
    }

    @Override
    public Optional<Used<T>> poll() throws BrokenDeviceException {
        if (!ring.acquireIsUsed(nextUsed)) { // pairs with 3
            return Optional.empty();
        }
        int id = ring.usedId(nextUsed); // reads 2
        long written = ring.usedWritten(nextUsed);
        Given.Chain<T> chain = given.takeBack(id, written);
        nextUsed = ring.after(nextUsed, chain.entries());
        freeEntries += chain.entries();
        freeIds.giveBack(id);
        return Optional.of(new Used<>(chain.token(), id, written));
    }

    @Override
    public boolean askForCall() {
        if (eventIndex) {
            driverEvents.askAt(nextUsed); // D: "call me when you give this entry back"
        } else {
            driverEvents.askAlways(); // D
        }
        ring.fullFence(); // between D and reading 3
        return ring.acquireIsUsed(nextUsed);
    }

    @Override
    public void refuseCalls() {
        driverEvents.refuse();
    }

    @Override
    public int outstanding() {
        return given.count();
    }

    @Override
    public int freeDescriptors() {
        return freeEntries;
    }

    private static Descriptor inTable(Descriptor[] chain, IndirectTables.Table table) {
        for (int i = 0; i < chain.length; i++) {
            PackedRing.putIndirect(table.memory(), i, chain[i]);
        }
        return new Descriptor(table.guestAddress(), (long) Descriptor.BYTES * chain.length, Descriptor.INDIRECT, 0);
    }

    private static Descriptor named(Descriptor descriptor, int id) {
        return new Descriptor(descriptor.address(), descriptor.length(), descriptor.flags(), id);
    }

    private static int flags(Descriptor[] entries, int index) {
        return entries[index].flags() | (index + 1 < entries.length ? Descriptor.NEXT : 0);
    }
}
