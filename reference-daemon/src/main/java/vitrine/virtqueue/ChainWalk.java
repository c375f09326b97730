package vitrine.virtqueue;

import vitrine.memory.AddressSpace;
import vitrine.memory.SharedMemory;

/// Follows a chain of descriptors of a split queue and collects the memory that it describes.
///
/// ```
/// queue's table              indirect table, anywhere in guest memory
/// head ─▶ desc ─▶ desc ─▶ desc(INDIRECT) ─▶ desc ─▶ desc ─▶ desc(WRITE) ─▶ desc(WRITE)
///         └── zero or more ──┘              └ readable ──┘  └ writable ────────────┘
/// ```
///
/// Linux uses a single indirect descriptor for nearly every request; a chain without any, and the
/// mixture drawn above, are as valid (virtio 1.3, 2.7.5.3.2). Nothing here is believed: whatever
/// the guest wrote, the walk ends, and it ends with memory of the guest or with a
/// [BrokenChainException].
final class ChainWalk {

    private final SplitRing ring;
    private final ChainMemory memory;

    ChainWalk(SplitRing ring, AddressSpace memory) {
        this.ring = ring;
        this.memory = new ChainMemory(memory);
    }

    /// Follows the chain that starts at descriptor `head` of the queue, which must be in range.
    DescriptorChain follow(int head) throws BrokenChainException {
        memory.begin(head);
        Descriptor last = followWithin(ring.descriptors(), ring.size(), head);
        if (last.isIndirect()) {
            int entries = memory.tableEntries(last);
            SharedMemory table = memory.table(last);
            if (followWithin(table, entries, 0).isIndirect()) {
                throw memory.broken("an indirect table within an indirect table");
            }
        }
        return memory.chain();
    }

    /// Follows a chain within one table and returns its last descriptor: one without a next, or one
    /// that points to an indirect table.
    private Descriptor followWithin(SharedMemory table, int entries, int first) throws BrokenChainException {
        int index = first;
        for (int visited = 0; visited < entries; visited++) {
            Descriptor descriptor = Descriptor.read(table, index);
            if (descriptor.isIndirect()) {
                return descriptor;
            }
            memory.add(descriptor);
            if (!descriptor.hasNext()) {
                return descriptor;
            }
            index = descriptor.next();
            if (index >= entries) {
                throw memory.broken("next " + index + " in a table of " + entries);
            }
        }
        // More steps than there are descriptors: one of them must have been visited twice.
        throw memory.broken("descriptors that lead round in a circle");
    }
}
