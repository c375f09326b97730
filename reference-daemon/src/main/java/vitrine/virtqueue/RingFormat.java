package vitrine.virtqueue;

import java.util.Locale;
import vitrine.memory.AddressSpace;

/// The two shapes of a virtqueue. Driver and device choose one for all queues of a device, before
/// there are any: the packed one if both know VIRTIO_F_RING_PACKED (virtio 1.3, 6).
///
/// | | split | packed |
/// |---|---|---|
/// | requests go | from descriptor table by available ring | in the descriptor ring |
/// | and come back | by the used ring | in the same descriptor ring |
/// | what is new is told by | an index | two bits of each entry |
/// | cache lines to touch for a request | three or more | one |
public enum RingFormat {
    /// See [SplitRing].
    SPLIT {
        @Override
        public boolean isPossibleSize(int size) {
            return SplitRing.isPossibleSize(size);
        }

        @Override
        public long driverBytes(int size) {
            return SplitRing.availBytes(size);
        }

        @Override
        public long deviceBytes(int size) {
            return SplitRing.usedBytes(size);
        }

        @Override
        public int driverAlignment() {
            return Short.BYTES;
        }

        @Override
        public int freshBase() {
            return 0;
        }

        @Override
        public boolean isPossibleBase(int base, int size) {
            return base >= 0 && base <= LAST_INDEX;
        }

        @Override
        public DeviceQueue deviceQueue(RingAreas areas, AddressSpace memory, boolean eventIndex, int base) {
            return new SplitDeviceQueue(new SplitRing(areas), memory, eventIndex, base);
        }
    },

    /// See [PackedRing].
    PACKED {
        @Override
        public boolean isPossibleSize(int size) {
            return PackedRing.isPossibleSize(size);
        }

        @Override
        public long driverBytes(int size) {
            return EventSuppression.BYTES;
        }

        @Override
        public long deviceBytes(int size) {
            return EventSuppression.BYTES;
        }

        @Override
        public int driverAlignment() {
            return Integer.BYTES;
        }

        @Override
        public int freshBase() {
            return PackedDeviceQueue.FRESH_BASE;
        }

        @Override
        public boolean isPossibleBase(int base, int size) {
            return PackedDeviceQueue.isPossibleBase(base, size);
        }

        @Override
        public DeviceQueue deviceQueue(RingAreas areas, AddressSpace memory, boolean eventIndex, int base) {
            return new PackedDeviceQueue(new PackedRing(areas), memory, eventIndex, base);
        }
    };

    /// The descriptor area starts at a multiple of this (virtio 1.3, 2.6).
    public static final int DESCRIPTOR_ALIGNMENT = 16;

    /// And the device area of this.
    public static final int DEVICE_ALIGNMENT = 4;

    private static final int LAST_INDEX = 0xffff;

    /// The largest queue there is (virtio 1.3, 2.7 and 2.8).
    public static final int MAX_SIZE = 32768;

    /// What it is called.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether a queue may have so many entries.
    public abstract boolean isPossibleSize(int size);

    /// How many bytes the descriptor area has.
    public long descriptorBytes(int size) {
        return (long) Descriptor.BYTES * size;
    }

    /// How many bytes the driver area has.
    public abstract long driverBytes(int size);

    /// How many bytes the device area has.
    public abstract long deviceBytes(int size);

    /// What the driver area's address must be a multiple of.
    public abstract int driverAlignment();

    /// Where a queue stands that nobody has used yet (vhost-user: "Vring descriptor indices").
    public abstract int freshBase();

    /// Whether a queue of that size can stand there.
    public abstract boolean isPossibleBase(int base, int size);

    /// The device's side of a queue.
    ///
    /// @param memory what the addresses in descriptors mean
    /// @param eventIndex whether VIRTIO_F_EVENT_IDX was negotiated
    /// @param base where to go on: [#freshBase], or what [DeviceQueue#base] said last
    public abstract DeviceQueue deviceQueue(RingAreas areas, AddressSpace memory, boolean eventIndex, int base);
}
