package vitrine.virtqueue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import vitrine.memory.AddressSpace;
import vitrine.memory.MappedMemory;
import vitrine.memory.NotGuestMemoryException;
import vitrine.memory.SharedMemory;
import vitrine.wire.Buffers;

/// Follows a chain of descriptors and collects the memory that it describes.
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

    /// `next` has 16 bits, and the largest queue has this many entries. The standard forbids chains
    /// longer than the queue (virtio 1.3, 2.7.5.3.1), but Linux does not hold its indirect tables
    /// to that, and other daemons serve such chains; so do we.
    private static final int MAX_TABLE_ENTRIES = SplitRing.MAX_SIZE;

    private static final long MAX_CHAIN_BYTES = 0xFFFF_FFFFL; // (virtio 1.3, 2.7.5.2)

    private final SplitRing ring;
    private final AddressSpace memory;

    // The chain being followed. The lists are kept for the next one.
    private final List<MemorySegment> readable = new ArrayList<>();
    private final List<MemorySegment> writable = new ArrayList<>();
    private int head;
    private int descriptors;
    private long bytes;

    // The guest addresses of the last part. A descriptor that starts at runEnd makes it longer.
    private long runStart;
    private long runEnd;

    ChainWalk(SplitRing ring, AddressSpace memory) {
        this.ring = ring;
        this.memory = memory;
    }

    /// Follows the chain that starts at descriptor `head` of the queue, which must be in range.
    DescriptorChain follow(int head) throws BrokenChainException {
        readable.clear();
        writable.clear();
        this.head = head;
        descriptors = 0;
        bytes = 0;

        Descriptor last = followWithin(ring.descriptors(), ring.size(), head);
        if (last.isIndirect()) {
            int entries = tableEntries(last);
            SharedMemory table = table(last);
            if (followWithin(table, entries, 0).isIndirect()) {
                throw broken("an indirect table within an indirect table");
            }
        }
        return new DescriptorChain(head, Buffers.of(readable), Buffers.of(writable), descriptors);
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
            add(descriptor);
            if (!descriptor.hasNext()) {
                return descriptor;
            }
            index = descriptor.next();
            if (index >= entries) {
                throw broken("next " + index + " in a table of " + entries);
            }
        }
        // More steps than there are descriptors: one of them must have been visited twice.
        throw broken("descriptors that lead round in a circle");
    }

    private void add(Descriptor descriptor) throws BrokenChainException {
        descriptors++;
        if (descriptor.length() == 0) {
            return; // no memory: neither its address nor its place in the chain matters
        }
        if (!descriptor.isWritable() && !writable.isEmpty()) {
            throw broken("a readable buffer after a writable one"); // (virtio 1.3, 2.7.4.2)
        }
        bytes += descriptor.length();
        if (bytes > MAX_CHAIN_BYTES) {
            throw broken("more than 4 GiB in one chain");
        }
        List<MemorySegment> parts = descriptor.isWritable() ? writable : readable;
        if (parts.isEmpty() || descriptor.address() != runEnd || !extendLast(parts, descriptor.length())) {
            addParts(parts, descriptor.address(), descriptor.length());
        }
        runEnd = descriptor.address() + descriptor.length();
    }

    /// Adds a buffer as one part; as more only where one region of memory ends and the next begins,
    /// as with DIMMs that were plugged in one after the other.
    private void addParts(List<MemorySegment> parts, long address, long length) throws BrokenChainException {
        long reach = memory.reach(address);
        while (reach > 0 && reach < length) {
            parts.add(guest(address, reach));
            address += reach;
            length -= reach;
            reach = memory.reach(address);
        }
        parts.add(guest(address, length));
        runStart = address;
    }

    /// Makes the last part longer instead of adding one: fewer pieces for the host kernel to
    /// gather. Not possible when two memory regions touch exactly here.
    private boolean extendLast(List<MemorySegment> parts, long length) {
        try {
            parts.set(parts.size() - 1, memory.guest(runStart, runEnd - runStart + length));
            return true;
        } catch (NotGuestMemoryException _) {
            return false;
        }
    }

    private SharedMemory table(Descriptor pointer) throws BrokenChainException {
        MemorySegment memory = guest(pointer.address(), pointer.length());
        if (!memory.scope().isAlive()) {
            throw broken("an indirect table in memory that is not the guest's alone");
        }
        return new MappedMemory(memory);
    }

    /// The number of entries of the table that `pointer` points to, checked
    /// (virtio 1.3, 2.7.5.3.1).
    private int tableEntries(Descriptor pointer) throws BrokenChainException {
        if (pointer.hasNext()) {
            throw broken("an indirect table, and descriptors after it");
        }
        if (pointer.length() == 0 || pointer.length() % Descriptor.BYTES != 0) {
            throw broken("an indirect table of " + pointer.length() + " bytes");
        }
        if (pointer.address() % Short.BYTES != 0) {
            throw broken("an indirect table at an odd address"); // no driver does, and no word could be read
        }
        long entries = pointer.length() / Descriptor.BYTES;
        if (entries > MAX_TABLE_ENTRIES) {
            throw broken("an indirect table of " + entries + " descriptors");
        }
        return (int) entries;
    }

    private MemorySegment guest(long address, long length) throws BrokenChainException {
        try {
            return memory.guest(address, length);
        } catch (NotGuestMemoryException outside) {
            throw broken(outside.getMessage());
        }
    }

    private BrokenChainException broken(String why) {
        return new BrokenChainException(head, why);
    }
}
