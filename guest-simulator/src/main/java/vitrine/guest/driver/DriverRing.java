package vitrine.guest.driver;

import java.util.random.RandomGenerator;
import vitrine.virtqueue.PackedRing;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;
import vitrine.virtqueue.SplitRing;

/// A ring in guest memory, as driver and device have settled it.
///
/// @param format its shape
/// @param areas where it lies
/// @param eventIndex whether VIRTIO_F_EVENT_IDX was negotiated
public record DriverRing(RingFormat format, RingAreas areas, boolean eventIndex) {

    /// The driver's side of it, which nobody has used yet.
    ///
    /// @param <T> what the driver knows its requests by
    /// @param tables where indirect tables go, or [IndirectTables#none()]
    /// @param random decides the order of descriptors; the same seed gives the same ring
    public <T> DriverQueue<T> queue(IndirectTables tables, RandomGenerator random) {
        return switch (format) {
            case SPLIT -> new SplitDriverQueue<>(new SplitRing(areas), eventIndex, tables, random);
            case PACKED -> new PackedDriverQueue<>(new PackedRing(areas), eventIndex, tables, random);
        };
    }

    /// The ring as the split one that it is: for who plays a driver of their own.
    public SplitRing split() {
        if (format != RingFormat.SPLIT) {
            throw new IllegalStateException("a " + format.word() + " ring");
        }
        return new SplitRing(areas);
    }

    /// The number of its entries.
    public int size() {
        return areas.size();
    }
}
