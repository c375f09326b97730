package vitrine.conformance.guest;

import java.lang.foreign.MemorySegment;
import vitrine.memory.AddressSpace;

/// Guest memory from address 0 on.
record OnePiece(MemorySegment ram) implements AddressSpace {

    @Override
    public MemorySegment guest(long address, long length) {
        return ram.asSlice(address, length);
    }

    @Override
    public long reach(long address) {
        return ram.byteSize() - address;
    }
}
