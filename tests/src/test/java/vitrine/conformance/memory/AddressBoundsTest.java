package vitrine.conformance.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.memory.GuestMemory;
import vitrine.memory.GuestMemory.Region;
import vitrine.memory.NotGuestMemoryException;
import vitrine.posix.Fd;

/// Whatever a guest asks for lies wholly in one region, or is refused.
class AddressBoundsTest {

    private static final int SLOTS = 16;
    private static final long SLOT = 0x4000;

    /// virtio gives 64-bit addresses and 32-bit lengths; a guest may write anything there. Compared
    /// with arithmetic that cannot overflow.
    ///
    /// Caught: signed comparison in the search; `address + length` instead of `size - offset`; the
    /// length compared with `<`; a search that misses a range at its region's start; `guestReach`
    /// with a signed comparison.
    @Property(tries = 200)
    void anAddressAndALengthLieInOneRegionOrAreRefused(
            @ForAll("regions") List<Region> regions, @ForAll("ranges") List<long[]> ranges) throws Exception {
        Fd file = SYS.memfdCreate("bounds");
        SYS.ftruncate(file, SLOTS * SLOT);
        try (GuestMemory memory = new GuestMemory(SYS)) {
            for (Region region : regions) {
                memory.add(region, file);
            }

            for (long[] range : ranges) {
                long length = range[1];
                assertEquals(holder(regions, false, range[0], length), found(memory, regions, false, range[0], length));
                assertEquals(holder(regions, true, range[0], length), found(memory, regions, true, range[0], length));
                verifyReach(memory, regions, range[0]);
            }
        }
        file.close();
    }

    /// As many bytes as it is said to reach are there, and not one more.
    private static void verifyReach(GuestMemory memory, List<Region> regions, long address) {
        long reach = memory.reach(address);
        assertEquals(reach > 0, holder(regions, false, address, 1) >= 0);
        assertEquals(reach > 0, holder(regions, false, address, reach) >= 0);
        assertEquals(-1, holder(regions, false, address, reach + 1));
    }

    /// Which region holds the range, as a number of unlimited size sees it, or -1.
    private static int holder(List<Region> regions, boolean user, long address, long length) {
        BigInteger from = unsigned(address);
        BigInteger to = from.add(unsigned(length));
        for (int i = 0; i < regions.size(); i++) {
            BigInteger start = unsigned(start(regions.get(i), user));
            BigInteger end = start.add(BigInteger.valueOf(regions.get(i).size()));
            if (length != 0 && start.compareTo(from) <= 0 && to.compareTo(end) <= 0) {
                return i;
            }
        }
        return -1;
    }

    /// The same, as the memory answers it.
    private static int found(GuestMemory memory, List<Region> regions, boolean user, long address, long length) {
        try {
            MemorySegment range = user ? memory.user(address, length) : memory.guest(address, length);
            assertEquals(length, range.byteSize());
            range.set(JAVA_BYTE, length - 1, (byte) 1); // can be touched to its end
            for (int i = 0; i < regions.size(); i++) {
                Region region = regions.get(i);
                MemorySegment whole = user
                        ? memory.user(region.userAddress(), region.size())
                        : memory.guest(region.guestAddress(), region.size());
                long offset = address - start(region, user);
                boolean inside = Long.compareUnsigned(offset, region.size()) < 0;
                if (inside && range.address() == whole.address() + offset) {
                    return i;
                }
            }
            throw new AssertionError("an answer from nowhere");
        } catch (NotGuestMemoryException _) {
            return -1;
        }
    }

    private static long start(Region region, boolean user) {
        return user ? region.userAddress() : region.guestAddress();
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    /// Up to eight regions in sixteen places, some of which lie at the end of the address space;
    /// they may touch each other. User addresses have another order.
    @Provide
    Arbitrary<List<Region>> regions() {
        Arbitrary<Integer> places = Arbitraries.integers().between(0, SLOTS - 1);
        Arbitrary<Long> sizes = Arbitraries.of(8L, 9L, 4096L, SLOT - 1, SLOT);
        return Combinators.combine(places, sizes)
                .as(AddressBoundsTest::region)
                .list()
                .uniqueElements(Region::guestAddress)
                .ofMinSize(0)
                .ofMaxSize(8);
    }

    private static Region region(int place, long size) {
        return new Region(address(place), size, address(SLOTS - 1 - place), place * SLOT);
    }

    private static long address(int place) {
        return place < 8 ? 0x1_0000_0000L + place * SLOT : (place - SLOTS) * SLOT; // the last ones end at 2^64
    }

    /// Near the edges of the places, or anywhere; lengths likewise.
    @Provide
    Arbitrary<List<long[]>> ranges() {
        Arbitrary<Long> near = Combinators.combine(
                        Arbitraries.integers().between(0, SLOTS),
                        Arbitraries.longs().between(-9, 9))
                .as((place, by) -> address(Math.min(place, SLOTS - 1)) + (place == SLOTS ? SLOT : 0) + by);
        Arbitrary<Long> addresses = Arbitraries.oneOf(near, Arbitraries.longs());
        Arbitrary<Long> lengths = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 20),
                Arbitraries.longs().between(SLOT - 10, SLOT + 10),
                Arbitraries.longs().between(-20, -1),
                Arbitraries.longs());
        return Combinators.combine(addresses, lengths)
                .as((address, length) -> new long[] {address, length})
                .list()
                .ofSize(60);
    }

    /// The generators above are worth something: they make ranges of both kinds.
    @Property(tries = 1)
    void someRangesAreHeld() {
        List<Region> all = new ArrayList<>();
        for (int place = 0; place < SLOTS; place++) {
            all.add(region(place, SLOT));
        }
        long[] counts = new long[2];
        ranges().sampleStream().limit(50).flatMap(List::stream).forEach(range -> {
            counts[holder(all, false, range[0], range[1]) >= 0 ? 1 : 0]++;
        });
        assertEquals(true, counts[0] > 100 && counts[1] > 100, counts[0] + " refused, " + counts[1] + " held");
    }
}
