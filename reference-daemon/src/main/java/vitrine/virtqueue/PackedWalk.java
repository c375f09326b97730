package vitrine.virtqueue;

import java.util.ArrayList;
import java.util.List;
import vitrine.memory.AddressSpace;
import vitrine.memory.SharedMemory;

/// Reads a chain out of a packed ring, where it lies in consecutive entries, and collects its
/// memory.
///
/// It takes two steps, because a chain with a mistake in it has to be given back all the same:
/// first its entries are copied, which says how many they are and what its id is, then what they
/// point to is looked at.
final class PackedWalk {

    private final PackedRing ring;
    private final ChainMemory memory;
    private final List<Descriptor> entries = new ArrayList<>(); // of the chain at hand, kept for the next

    PackedWalk(PackedRing ring, AddressSpace memory) {
        this.ring = ring;
        this.memory = new ChainMemory(memory);
    }

    /// Copies the chain that begins at a position.
    ///
    /// @param free how many entries it may have at most: all those that the device does not have
    /// @return how many it has
    /// @throws BrokenQueueException if it does not end
    int read(int position, int free) throws BrokenQueueException {
        entries.clear();
        Descriptor entry;
        do {
            if (entries.size() >= free) {
                throw new BrokenQueueException("a chain that goes on beyond " + free + " free entries");
            }
            entry = ring.descriptor(ring.after(position, entries.size()));
            entries.add(entry);
        } while (entry.hasNext());
        return entries.size();
    }

    /// What the driver calls the chain: the id of its last entry (virtio 1.3, 2.8.6), not checked.
    int id() {
        return entries.getLast().next();
    }

    /// The memory of the chain.
    DescriptorChain chain() throws BrokenChainException {
        memory.begin(id());
        for (Descriptor entry : entries) {
            if (entry.isIndirect()) {
                addTable(entry);
            } else {
                memory.add(entry);
            }
        }
        return memory.chain();
    }

    /// Adds all entries of an indirect table. They lie side by side, and only whether they are to
    /// be written has a meaning (virtio 1.3, 2.8.8).
    private void addTable(Descriptor pointer) throws BrokenChainException {
        int size = memory.tableEntries(pointer);
        SharedMemory table = memory.table(pointer);
        for (int index = 0; index < size; index++) {
            Descriptor entry = PackedRing.descriptor(table, index);
            memory.add(new Descriptor(entry.address(), entry.length(), entry.flags() & Descriptor.WRITE, 0));
        }
    }
}
