package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.virtqueue.Bench.Area;
import vitrine.conformance.virtqueue.Bench.Side;
import vitrine.conformance.virtqueue.NotedMemory.Access;
import vitrine.conformance.virtqueue.NotedMemory.Kind;
import vitrine.guest.driver.GuestRange;

/// The order of accesses, checked in the notes of [NotedMemory]. Driver and device are played in
/// any interleaving of whole steps; the rules hold for the accesses of one side among themselves,
/// so no second thread is needed.
class AccessOrderTest {

    private static final int SIZE = 8;
    private static final long FLAGS = 0;
    private static final long IDX = 2;
    private static final long RING = 4;
    private static final long USED_EVENT = RING + 2 * SIZE;
    private static final long AVAIL_EVENT = RING + 8 * SIZE;

    /// What one of the two sides, or each for itself, does next.
    enum Step {
        ADD,
        POP,
        PUSH,
        POLL,
        DECIDE,
        ASK,
        REFUSE
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Arbitraries.of(Step.class).list().ofMaxSize(120);
    }

    /// virtio 1.3, 2.7.13.3.1 and 2.7.8.2: a barrier between an entry and the index that covers it.
    ///
    /// Caught: `storeRelease16` made `store16` in `SplitRing.releaseAvailIdx`, and in
    /// `releaseUsedIdx`.
    @Property(tries = 200)
    void noIndexIsPublishedByAnythingButARelease(@ForAll("steps") List<Step> steps) {
        List<Access> notes = play(steps, true);

        List<Access> published =
                notes.stream().filter(a -> a.isStore() && isIndex(a)).toList();

        for (Access access : published) {
            assertEquals(Kind.STORE_RELEASE, access.kind(), access::toString);
        }
    }

    /// virtio 1.3, 2.7.13.2 before 2.7.13.3: first the entry, then the index; for the used ring
    /// 2.7.8.2. Each release moves the index by one, and since the release before it exactly the
    /// entry in question was stored, all of it, with (for the driver) its first descriptor.
    ///
    /// Caught: the two lines B and C of `DriverQueue.add` exchanged; `writeDirect` moved behind C;
    /// 2 and 3 of `SplitDeviceQueue.push` exchanged; used length stored after the index.
    @Property(tries = 200)
    void anIndexIsPublishedOnlyAfterItsEntry(@ForAll("steps") List<Step> steps) {
        List<Access> notes = play(steps, true);

        for (Side side : Side.values()) {
            Set<Long> storedEntry = new HashSet<>();
            Set<Long> storedDescriptor = new HashSet<>();
            long head = -1;
            for (Access access : notes) {
                if (access.view().side() != side || !access.isStore()) {
                    continue;
                }
                if (access.view().area() == Area.DESC) {
                    storedDescriptor.add(access.offset());
                } else if (isIndex(access)) {
                    long slot = (access.value() - 1) & (SIZE - 1);
                    if (side == Side.DRIVER) {
                        assertEquals(Set.of(RING + 2 * slot), storedEntry, () -> "before " + access);
                        long first = 16 * head;
                        assertTrue(
                                storedDescriptor.containsAll(Set.of(first, first + 8, first + 12, first + 14)),
                                () -> "descriptors stored before " + access + ": " + storedDescriptor);
                    } else {
                        assertEquals(
                                Set.of(RING + 8 * slot, RING + 8 * slot + 4), storedEntry, () -> "before " + access);
                    }
                    storedEntry.clear();
                    storedDescriptor.clear();
                } else if (isEntry(access)) {
                    storedEntry.add(access.offset());
                    head = access.value();
                }
            }
            assertEquals(Set.of(), storedEntry, side + " stored an entry behind the index");
            assertEquals(Set.of(), storedDescriptor, side + " stored a descriptor behind the index");
        }
    }

    /// virtio 1.3, 2.7.13.3.1 seen from the reader: an entry means something only if the index that
    /// covers it was loaded before, with acquire.
    ///
    /// Caught: `loadAcquire16` made `load16` in `SplitRing.acquireAvailIdx`, and in
    /// `acquireUsedIdx`; the entry loaded in front of the index in `SplitDeviceQueue.pop`, and in
    /// `DriverQueue.poll`.
    @Property(tries = 200)
    void noEntryIsReadBeforeAnAcquireOfTheIndex(@ForAll("steps") List<Step> steps) {
        List<Access> notes = play(steps, true);

        for (Side side : Side.values()) {
            long acquired = 0; // how far the other side is known to be
            long entry = 0; // which entry is read next
            long fields = side == Side.DRIVER ? 2 : 1; // loads for one entry
            long loads = 0;
            for (Access access : notes) {
                if (access.view().side() != side || !access.isLoad()) {
                    continue;
                }
                if (isIndex(access) && access.view().area() == other(side)) {
                    assertEquals(Kind.LOAD_ACQUIRE, access.kind(), access::toString);
                    acquired = access.value();
                } else if (isEntry(access) && access.view().area() == other(side)) {
                    entry = loads++ / fields;
                    assertTrue(entry < acquired, "entry " + entry + " read when the index was " + acquired);
                } else if (access.view().area() == Area.DESC) {
                    assertTrue(entry < acquired && loads > 0, () -> "descriptor read too early: " + access);
                }
            }
        }
    }

    /// virtio 1.3, 2.7.5: the driver may change a descriptor at any time, so a field that is read
    /// twice can have two values. Between two looks at the index no place is read twice.
    ///
    /// Caught: `isIndirect()` asking the memory again instead of the copy.
    @Property(tries = 200)
    void noDescriptorIsReadTwice(@ForAll("steps") List<Step> steps) {
        List<Access> notes = play(steps, true);

        Set<Long> read = new HashSet<>();
        for (Access access : notes) {
            if (access.view().side() == Side.DEVICE && access.kind() == Kind.LOAD_ACQUIRE) {
                read.clear();
            } else if (access.view().side() == Side.DEVICE && access.view().area() == Area.DESC) {
                assertTrue(read.add(access.offset()), () -> "read twice in one pop: " + access);
            }
        }
        Bench.View driver = new Bench.View(Side.DRIVER, Area.DESC);
        assertTrue(notes.stream().noneMatch(a -> a.view().equals(driver) && a.isLoad()));
    }

    /// virtio 1.3, 2.7.7.2 and 2.7.13.4.1: after publishing, a full fence, then the other's wish;
    /// 2.7.7.1 and 2.7.10.2: after the wish, a full fence, then the other's index.
    ///
    /// Caught: each of the four `fullFence()` calls removed; those of `askForKick` and `askForCall`
    /// put in front of the wish.
    @Property(tries = 200)
    void aFullFenceStandsBetweenTheOwnWordAndALookAtTheOthers(
            @ForAll("steps") List<Step> steps, @ForAll boolean eventIndex) {
        List<Access> notes = play(steps, eventIndex);

        for (Side side : Side.values()) {
            boolean indexUnfenced = false; // published, and no fence since
            boolean wishUnfenced = false; // asked to be woken, and no fence since
            for (Access access : notes) {
                if (access.view().side() != side) {
                    continue;
                }
                if (access.kind() == Kind.FULL_FENCE) {
                    indexUnfenced = false;
                    wishUnfenced = false;
                } else if (access.isStore() && isIndex(access)) {
                    indexUnfenced = true;
                } else if (access.isStore() && isWish(access, side, eventIndex)) {
                    wishUnfenced = access.offset() != FLAGS || access.value() == 0; // 1: does not want to be woken
                } else if (access.isLoad() && isWish(access, opposite(side), eventIndex)) {
                    assertTrue(!indexUnfenced, () -> "no fence before " + access);
                } else if (access.isLoad() && isIndex(access) && access.view().area() == other(side)) {
                    assertTrue(!wishUnfenced, () -> "no fence before " + access);
                }
            }
        }
    }

    private static List<Access> play(List<Step> steps, boolean eventIndex) {
        return play(new Bench.Setup(SIZE, eventIndex, false, steps.size()), steps);
    }

    /// Plays one list of steps; every step is something that one of the two sides does.
    static List<Access> play(Bench.Setup setup, List<Step> steps) {
        List<Access> notes = new ArrayList<>();
        Bench bench = new Bench(setup, (view, memory) -> new NotedMemory(view, memory, notes));
        GuestRange in = bench.ram.take(64);
        GuestRange out = bench.ram.take(64);
        Deque<Integer> popped = new ArrayDeque<>();
        notes.clear();
        try {
            for (Step step : steps) {
                switch (step) {
                    case ADD -> bench.driver.add(List.of(in), List.of(out), 0);
                    case POP -> bench.device.pop().ifPresent(chain -> popped.add(chain.head()));
                    case PUSH -> {
                        if (!popped.isEmpty()) {
                            bench.device.push(popped.remove(), 1);
                        }
                    }
                    case POLL -> bench.driver.poll();
                    case DECIDE -> {
                        bench.driver.deviceWantsKick();
                        bench.device.driverWantsCall();
                    }
                    case ASK -> {
                        bench.driver.askForCall();
                        bench.device.askForKick();
                    }
                    case REFUSE -> {
                        bench.driver.refuseCalls();
                        bench.device.refuseKicks();
                    }
                }
            }
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
        return notes;
    }

    private static Side opposite(Side side) {
        return side == Side.DRIVER ? Side.DEVICE : Side.DRIVER;
    }

    private static Area other(Side side) {
        return side == Side.DRIVER ? Area.USED : Area.AVAIL;
    }

    private static boolean isIndex(Access access) {
        return access.kind() != Kind.FULL_FENCE && access.view().area() != Area.DESC && access.offset() == IDX;
    }

    private static boolean isEntry(Access access) {
        long end = access.view().area() == Area.AVAIL ? USED_EVENT : AVAIL_EVENT;
        return access.view().area() != Area.DESC && access.offset() >= RING && access.offset() < end;
    }

    /// Whether this is the field in which `side` says when it wants to be woken.
    private static boolean isWish(Access access, Side side, boolean eventIndex) {
        Area area = side == Side.DRIVER ? Area.AVAIL : Area.USED;
        long event = side == Side.DRIVER ? USED_EVENT : AVAIL_EVENT;
        return access.view().area() == area && access.offset() == (eventIndex ? event : FLAGS);
    }
}
