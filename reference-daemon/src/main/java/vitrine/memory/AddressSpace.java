package vitrine.memory;

import java.lang.foreign.MemorySegment;

/// Where descriptors point to.
public interface AddressSpace {

    /// The `length` bytes at a guest address.
    ///
    /// @param address as the driver wrote it, unsigned
    /// @param length in bytes, unsigned, at least 1
    /// @throws NotGuestMemoryException if they are not all in one region
    MemorySegment guest(long address, long length) throws NotGuestMemoryException;

    /// How many bytes there are from a guest address to the end of its region, 0 if it is in none.
    long reach(long address);
}
