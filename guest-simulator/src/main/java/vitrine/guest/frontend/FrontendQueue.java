package vitrine.guest.frontend;

import vitrine.guest.driver.DriverRing;
import vitrine.memory.MappedMemory;
import vitrine.posix.EventFd;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;

/// A virtqueue as the driver gets it: the ring in its memory, and the two bells.
///
/// @param index the queue's number
/// @param ring the ring, as it was settled
/// @param place where it lies
/// @param kick the driver signals it when it has made requests available
/// @param call the device signals it when it has used some
/// @param error the device signals it when it will not serve the ring any more
public record FrontendQueue(int index, DriverRing ring, Place place, EventFd kick, EventFd call, EventFd error) {

    /// Guest addresses of the three areas of a ring.
    ///
    /// @param size the ring's entries
    /// @param descriptors the descriptor area
    /// @param driver the driver area: of a split ring, the available ring
    /// @param device the device area: of a split ring, the used ring
    public record Place(RingFormat format, int size, long descriptors, long driver, long device) {

        private static final int PAGE = 4096;

        /// Reserves memory for a ring of that many entries.
        public static Place reserve(GuestRam ram, RingFormat format, int size) {
            return new Place(
                    format,
                    size,
                    ram.reserve(format.descriptorBytes(size), PAGE),
                    ram.reserve(format.driverBytes(size), PAGE),
                    ram.reserve(format.deviceBytes(size), PAGE));
        }

        /// Forgets what is in the ring: a driver that starts afresh hands over zeroes.
        void clear(GuestRam ram) {
            ram.reserved(descriptors, format.descriptorBytes(size)).fill((byte) 0);
            ram.reserved(driver, format.driverBytes(size)).fill((byte) 0);
            ram.reserved(device, format.deviceBytes(size)).fill((byte) 0);
        }

        /// The memory at this place.
        public RingAreas areas(GuestRam ram) {
            return new RingAreas(
                    size,
                    new MappedMemory(ram.reserved(descriptors, format.descriptorBytes(size))),
                    new MappedMemory(ram.reserved(driver, format.driverBytes(size))),
                    new MappedMemory(ram.reserved(device, format.deviceBytes(size))));
        }
    }
}
