package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.virtqueue.AccessOrderTest.Step;
import vitrine.conformance.virtqueue.Bench.Area;
import vitrine.conformance.virtqueue.Bench.Side;
import vitrine.conformance.virtqueue.NotedMemory.Access;
import vitrine.conformance.virtqueue.NotedMemory.Kind;
import vitrine.virtqueue.RingFormat;

/// The order of accesses to a packed ring, as [AccessOrderTest] checks that of a split one.
class PackedOrderTest {

    private static final int SIZE = 5; // no power of two, so that chains go across the end
    private static final long ENTRY = 16;
    private static final long FLAGS = 14;

    @Provide
    Arbitrary<List<Step>> steps() {
        return Arbitraries.of(Step.class).list().ofMaxSize(120);
    }

    /// virtio 1.3, 2.8.21.1 and 2.8.22: what an entry says is there before it changes hands, and
    /// the entries of a chain before its first one. So between two releases of a side nothing may
    /// be left that was stored behind the one that it belongs to.
    ///
    /// Caught: `storeRelease16` made `store16` in `PackedRing.releaseAvailable`, and in
    /// `releaseUsed`; `putAvailable` of the other entries moved behind it, and `putDescriptor`; 2
    /// and 3 of `PackedDeviceQueue.push` exchanged.
    @Property(tries = 200)
    void anEntryChangesHandsByAReleaseAndLastOfAll(@ForAll("steps") List<Step> steps) {
        List<Access> notes = play(steps, true);

        for (Side side : Side.values()) {
            Set<Long> stored = new HashSet<>(); // since the last release
            for (Access access : ofRing(notes, side)) {
                if (access.kind() == Kind.STORE) {
                    stored.add(access.offset());
                } else if (access.kind() == Kind.STORE_RELEASE) {
                    assertEquals(FLAGS, access.offset() % ENTRY, access::toString);
                    long entry = access.offset() - FLAGS;
                    assertTrue(stored.contains(entry + 8) && stored.contains(entry + 12), () -> "too early: " + access);
                    stored.clear();
                }
            }
            assertEquals(Set.of(), stored, side + " stored something behind the release");
        }
    }

    /// virtio 1.3, 2.8.21.1 seen from the reader: the flags of a chain's first entry are loaded
    /// with acquire, and nothing else of the ring in front of them. Each place is read once after
    /// it.
    ///
    /// Caught: `loadAcquire16` made `load16` in `PackedRing.acquireFlags`; `usedId` read in front
    /// of `acquireIsUsed`; `hasNext` asking the memory again.
    @Property(tries = 200)
    void nothingIsReadBeforeAnAcquireOfTheFlagsAndNothingTwice(@ForAll("steps") List<Step> steps) {
        List<Access> notes = play(steps, true);

        for (Side side : Side.values()) {
            boolean acquired = false; // since this side last gave or took something
            Set<Long> read = new HashSet<>();
            for (Access access : ofRing(notes, side)) {
                if (access.kind() == Kind.LOAD_ACQUIRE) {
                    assertEquals(FLAGS, access.offset() % ENTRY, access::toString);
                    acquired = true;
                    read.clear();
                } else if (access.kind() == Kind.LOAD) {
                    assertTrue(acquired, () -> "read too early: " + access);
                    assertTrue(read.add(access.offset()), () -> "read twice: " + access);
                } else if (access.isStore()) {
                    acquired = false;
                }
            }
        }
    }

    /// virtio 1.3, 2.8.10: both halves of the wish at once, then a full fence, then the other's
    /// entry; and the other way round.
    ///
    /// Caught: each of the four `fullFence()` calls in `PackedDeviceQueue` and `PackedDriverQueue`
    /// removed; the wish stored in two halves.
    @Property(tries = 200)
    void aFullFenceStandsBetweenTheOwnWordAndALookAtTheOthers(
            @ForAll("steps") List<Step> steps, @ForAll boolean eventIndex) {
        List<Access> notes = play(steps, eventIndex);

        for (Side side : Side.values()) {
            Deque<Access> unfenced = new ArrayDeque<>();
            for (Access access : notes) {
                if (access.view().side() != side) {
                    continue;
                }
                if (access.kind() == Kind.FULL_FENCE) {
                    unfenced.clear();
                } else if (access.isStore() && access.view().area() != Area.DESC) {
                    assertEquals(0, access.offset(), () -> "half a wish: " + access);
                    if (access.value() != 1 << 16) { // "never" needs no answer
                        unfenced.add(access);
                    }
                } else if (access.kind() == Kind.STORE_RELEASE) {
                    unfenced.add(access);
                } else if (access.isLoad() && access.view().area() != Area.DESC) {
                    assertTrue(unfenced.isEmpty(), () -> "no fence before " + access);
                } else if (access.kind() == Kind.LOAD_ACQUIRE) {
                    assertTrue(
                            unfenced.stream().noneMatch(store -> store.view().area() != Area.DESC),
                            () -> "no fence before " + access);
                }
            }
        }
    }

    private static List<Access> play(List<Step> steps, boolean eventIndex) {
        return AccessOrderTest.play(new Bench.Setup(RingFormat.PACKED, SIZE, eventIndex, false, steps.size()), steps);
    }

    private static List<Access> ofRing(List<Access> notes, Side side) {
        return notes.stream()
                .filter(access -> access.kind() != Kind.FULL_FENCE)
                .filter(access -> access.view().equals(new Bench.View(side, Area.DESC)))
                .toList();
    }
}
