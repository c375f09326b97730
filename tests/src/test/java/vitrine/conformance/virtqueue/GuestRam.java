package vitrine.conformance.virtqueue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import vitrine.guest.driver.GuestRange;
import vitrine.memory.AddressSpace;
import vitrine.memory.NotGuestMemoryException;

/// Guest memory for tests: a few regions of plain memory at chosen guest addresses.
final class GuestRam implements AddressSpace {

    private final List<Region> regions = new ArrayList<>();
    private long taken; // bytes handed out from the first region

    private record Region(long address, MemorySegment memory) {
        boolean holds(long from, long length) {
            long offset = from - address;
            return offset >= 0 && length > 0 && offset <= memory.byteSize() && length <= memory.byteSize() - offset;
        }
    }

    GuestRam with(long address, long bytes) {
        regions.add(new Region(address, Arena.ofAuto().allocate(bytes, 64)));
        return this;
    }

    /// Fresh memory from the first region, which is all that most tests have.
    GuestRange take(long bytes) {
        Region first = regions.getFirst();
        GuestRange range = new GuestRange(first.address + taken, bytes);
        taken += (bytes + 15) & ~15L;
        if (taken > first.memory.byteSize()) {
            throw new IllegalStateException("the test's guest has too little memory");
        }
        return range;
    }

    MemorySegment segment(GuestRange range) {
        try {
            return guest(range.address(), range.length());
        } catch (NotGuestMemoryException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    @Override
    public MemorySegment guest(long address, long length) throws NotGuestMemoryException {
        for (Region region : regions) {
            if (region.holds(address, length)) {
                return region.memory.asSlice(address - region.address, length);
            }
        }
        throw new NotGuestMemoryException("guest", address, length);
    }

    @Override
    public long reach(long address) {
        return regions.stream()
                .filter(region -> region.holds(address, 1))
                .mapToLong(region -> region.memory.byteSize() - (address - region.address))
                .findAny()
                .orElse(0);
    }

    /// Whether all of `part` is memory of this guest.
    boolean owns(MemorySegment part) {
        return regions.stream()
                .anyMatch(region -> part.address() >= region.memory.address()
                        && part.address() + part.byteSize() <= region.memory.address() + region.memory.byteSize());
    }
}
