package vitrine.guest.frontend;

import vitrine.memory.MappedMemory;
import vitrine.posix.EventFd;
import vitrine.virtqueue.SplitRing;

/// A virtqueue as the driver gets it: the ring in its memory, and the two bells.
///
/// @param index the queue's number
/// @param ring the ring's three areas
/// @param place where they lie
/// @param kick the driver signals it when it has made requests available
/// @param call the device signals it when it has used some
/// @param error the device signals it when it will not serve the ring any more
public record FrontendQueue(int index, SplitRing ring, Place place, EventFd kick, EventFd call, EventFd error) {

    /// Guest addresses of the three areas of a ring.
    ///
    /// @param size the ring's entries
    /// @param desc the descriptor table
    /// @param avail the available ring
    /// @param used the used ring
    public record Place(int size, long desc, long avail, long used) {

        private static final int PAGE = 4096;

        /// Reserves memory for a ring of that many entries.
        static Place reserve(GuestRam ram, int size) {
            return new Place(
                    size,
                    ram.reserve(SplitRing.descriptorBytes(size), PAGE),
                    ram.reserve(SplitRing.availBytes(size), PAGE),
                    ram.reserve(SplitRing.usedBytes(size), PAGE));
        }

        /// Forgets what is in the ring: a driver that starts afresh hands over zeroes.
        void clear(GuestRam ram) {
            ram.reserved(desc, SplitRing.descriptorBytes(size)).fill((byte) 0);
            ram.reserved(avail, SplitRing.availBytes(size)).fill((byte) 0);
            ram.reserved(used, SplitRing.usedBytes(size)).fill((byte) 0);
        }

        /// The ring at this place.
        public SplitRing ring(GuestRam ram) {
            return new SplitRing(
                    size,
                    new MappedMemory(ram.reserved(desc, SplitRing.descriptorBytes(size))),
                    new MappedMemory(ram.reserved(avail, SplitRing.availBytes(size))),
                    new MappedMemory(ram.reserved(used, SplitRing.usedBytes(size))));
        }
    }
}
