package vitrine.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import vitrine.memory.GuestMemory.Region;

/// The regions at one moment, sorted for lookups. Never changes: a new table takes its place.
///
/// All addresses are unsigned. Neither the guest addresses nor the user addresses of two regions
/// overlap, so at most one region can begin at or below an address and still contain it: the last
/// one that begins there.
final class RegionTable {

    static final RegionTable EMPTY = new RegionTable(new MappedRegion[0]);

    private final MappedRegion[] byGuest;
    private final MappedRegion[] byUser;
    private final long[] guestStarts; // of byGuest, in the same order: what a search looks at
    private final long[] userStarts;

    private RegionTable(MappedRegion[] regions) {
        byGuest = sorted(regions, (a, b) -> Long.compareUnsigned(a.region.guestAddress(), b.region.guestAddress()));
        byUser = sorted(regions, (a, b) -> Long.compareUnsigned(a.region.userAddress(), b.region.userAddress()));
        guestStarts =
                Arrays.stream(byGuest).mapToLong(r -> r.region.guestAddress()).toArray();
        userStarts =
                Arrays.stream(byUser).mapToLong(r -> r.region.userAddress()).toArray();
    }

    private static MappedRegion[] sorted(MappedRegion[] regions, Comparator<MappedRegion> order) {
        MappedRegion[] sorted = regions.clone();
        Arrays.sort(sorted, order);
        return sorted;
    }

    MemorySegment guest(long address, long length) throws NotGuestMemoryException {
        return slice("guest", byGuest, guestStarts, address, length);
    }

    /// How many bytes there are from a guest address to the end of its region, 0 if it is in none.
    long guestReach(long address) {
        int at = lastAtOrBelow(guestStarts, address);
        if (at < 0) {
            return 0;
        }
        long offset = address - guestStarts[at];
        long size = byGuest[at].bytes.byteSize();
        return Long.compareUnsigned(offset, size) < 0 ? size - offset : 0;
    }

    MemorySegment user(long address, long length) throws NotGuestMemoryException {
        return slice("user", byUser, userStarts, address, length);
    }

    /// The guest address of a part of a region's bytes, -1 if there is no such region any more.
    long guestAddress(MemorySegment part) {
        for (MappedRegion mapped : byGuest) {
            long offset = part.address() - mapped.bytes.address();
            if (offset >= 0 && offset < mapped.bytes.byteSize()) {
                return mapped.region.guestAddress() + offset;
            }
        }
        return -1;
    }

    private static MemorySegment slice(String kind, MappedRegion[] regions, long[] starts, long address, long length)
            throws NotGuestMemoryException {
        int at = lastAtOrBelow(starts, address);
        if (at >= 0 && length > 0) {
            MemorySegment bytes = regions[at].bytes;
            long offset = address - starts[at];
            long size = bytes.byteSize();
            // Subtracted, not added: address + length may be anything, and wraps.
            if (Long.compareUnsigned(offset, size) < 0 && length <= size - offset) {
                return bytes.asSlice(offset, length);
            }
        }
        throw new NotGuestMemoryException(kind, address, length);
    }

    private static int lastAtOrBelow(long[] starts, long address) {
        int low = 0;
        int high = starts.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(starts[middle], address) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /// What is wrong with a region that is to be added, or null.
    String whyNot(Region region) {
        if (region.size() <= 0 || region.fileOffset() < 0) {
            return "no such size or offset";
        }
        if (endsBeyond(region.guestAddress(), region.size()) || endsBeyond(region.userAddress(), region.size())) {
            return "ends beyond the last address";
        }
        for (MappedRegion other : byGuest) {
            Region there = other.region;
            if (overlap(region.guestAddress(), region.size(), there.guestAddress(), there.size())
                    || overlap(region.userAddress(), region.size(), there.userAddress(), there.size())) {
                return "overlaps " + there;
            }
        }
        return null;
    }

    private static boolean endsBeyond(long address, long size) {
        return Long.compareUnsigned(address, -size) > 0; // -size: the highest address it may begin at
    }

    private static boolean overlap(long a, long aSize, long b, long bSize) {
        return Long.compareUnsigned(a - b, bSize) < 0 || Long.compareUnsigned(b - a, aSize) < 0;
    }

    MappedRegion find(Region wanted) {
        for (MappedRegion mapped : byGuest) {
            Region region = mapped.region;
            if (region.guestAddress() == wanted.guestAddress()
                    && region.userAddress() == wanted.userAddress()
                    && region.size() == wanted.size()) {
                return mapped;
            }
        }
        return null;
    }

    List<MappedRegion> mapped() {
        return List.of(byGuest);
    }

    RegionTable with(MappedRegion added) {
        MappedRegion[] more = Arrays.copyOf(byGuest, byGuest.length + 1);
        more[byGuest.length] = added;
        return new RegionTable(more);
    }

    RegionTable without(MappedRegion removed) {
        return new RegionTable(Arrays.stream(byGuest).filter(r -> r != removed).toArray(MappedRegion[]::new));
    }
}
