package vitrine.guest.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import vitrine.memory.MappedMemory;
import vitrine.memory.SharedMemory;
import vitrine.virtqueue.Descriptor;

/// Guest memory for the tables of indirect chains.
///
/// A table is in use from [DriverQueue#add] until the chain of the same head has been taken back
/// with [DriverQueue#poll]; when it is asked for again with that head, the old one is free.
@FunctionalInterface
public interface IndirectTables {

    /// A table for the chain that starts at descriptor `head`, or empty if there is none of that
    /// many descriptors: the chain is then built in the queue's own table.
    Optional<Table> tableFor(int head, int descriptors);

    /// No indirect chains, as when VIRTIO_F_INDIRECT_DESC was not negotiated.
    static IndirectTables none() {
        return (_, _) -> Optional.empty();
    }

    /// One table of `entries` descriptors for each head, side by side in one piece of guest memory.
    ///
    /// @param guestAddress where the piece starts for the device
    /// @param memory the same piece for us, [Descriptor#BYTES] × `entries` × size of the queue long
    static IndirectTables sideBySide(long guestAddress, MemorySegment memory, int entries) {
        long bytes = (long) Descriptor.BYTES * entries;
        return (head, descriptors) -> descriptors > entries
                ? Optional.empty()
                : Optional.of(
                        new Table(guestAddress + head * bytes, new MappedMemory(memory.asSlice(head * bytes, bytes))));
    }

    /// A table in guest memory.
    ///
    /// @param guestAddress where the device finds it
    /// @param memory where the driver writes it
    record Table(long guestAddress, SharedMemory memory) {}
}
