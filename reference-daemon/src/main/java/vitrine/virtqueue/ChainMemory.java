package vitrine.virtqueue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import vitrine.memory.AddressSpace;
import vitrine.memory.MappedMemory;
import vitrine.memory.NotGuestMemoryException;
import vitrine.memory.SharedMemory;
import vitrine.wire.Buffers;

/// Collects the memory that the descriptors of one chain describe, and believes none of them: what
/// comes out is memory of the guest, or a [BrokenChainException].
final class ChainMemory {

    /// `next` has 16 bits, and the largest queue has this many entries. The standard forbids chains
    /// longer than the queue (virtio 1.3, 2.7.5.3.1), but Linux does not hold its indirect tables
    /// to that, and other daemons serve such chains; so do we.
    private static final int MAX_TABLE_ENTRIES = RingFormat.MAX_SIZE;

    private static final long MAX_CHAIN_BYTES = 0xFFFF_FFFFL; // (virtio 1.3, 2.7.5.2)

    private final AddressSpace memory;

    // The chain at hand. The lists are kept for the next one.
    private final List<MemorySegment> readable = new ArrayList<>();
    private final List<MemorySegment> writable = new ArrayList<>();
    private int head;
    private int descriptors;
    private long bytes;

    // The guest addresses of the last part. A descriptor that starts at runEnd makes it longer.
    private long runStart;
    private long runEnd;

    ChainMemory(AddressSpace memory) {
        this.memory = memory;
    }

    /// Begins with a new chain.
    ///
    /// @param name what it is given back by
    void begin(int name) {
        readable.clear();
        writable.clear();
        head = name;
        descriptors = 0;
        bytes = 0;
    }

    /// All that was added.
    DescriptorChain chain() {
        return new DescriptorChain(head, Buffers.of(readable), Buffers.of(writable), descriptors);
    }

    /// Adds the memory that a descriptor describes, which is no pointer to a table.
    void add(Descriptor descriptor) throws BrokenChainException {
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

    /// The indirect table that `pointer` points to.
    SharedMemory table(Descriptor pointer) throws BrokenChainException {
        MemorySegment memory = guest(pointer.address(), pointer.length());
        if (!memory.scope().isAlive()) {
            throw broken("an indirect table in memory that is not the guest's alone");
        }
        if (memory.address() % Short.BYTES != 0) { // no driver has one there, and no word could be read
            throw broken("an indirect table at an odd address");
        }
        return new MappedMemory(memory);
    }

    /// How many entries it has, checked (virtio 1.3, 2.7.5.3.1).
    int tableEntries(Descriptor pointer) throws BrokenChainException {
        if (pointer.hasNext()) {
            throw broken("an indirect table, and descriptors after it");
        }
        if (pointer.length() == 0 || pointer.length() % Descriptor.BYTES != 0) {
            throw broken("an indirect table of " + pointer.length() + " bytes");
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

    /// The chain breaks a rule.
    BrokenChainException broken(String why) {
        return new BrokenChainException(head, why);
    }
}
