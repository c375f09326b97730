package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.virtqueue.Bench.Setup;
import vitrine.guest.driver.GuestRange;
import vitrine.memory.MappedMemory;
import vitrine.memory.SharedMemory;
import vitrine.virtqueue.RingFormat;

/// The handshake of sleeper and waker, on two real processors, round by round.
///
/// ```
///   sleeper                          waker
///   store: wake me at this entry     store (release): idx
///   full fence                       full fence
///   load (acquire): idx              load: wake me at ...
/// ```
///
/// If the sleeper sees the old index *and* the waker the old wish, the queue hangs. A round in
/// which that happens is rare even without a fence (on an idle x86 about one in 1500), and rarer on
/// a busy machine, where the two seldom run at the same moment. [AccessOrderTest] looks for the
/// fences themselves and needs no luck.
class FullFenceTest {

    private static final int ROUNDS = 200_000;
    private static final long WISH = 0; // a cache line of its own for each
    private static final long INDEX = 128;

    private final SharedMemory memory = new MappedMemory(Arena.ofAuto().allocate(256, 128));

    private boolean sleeperMissed;
    private boolean wakerMissed;
    private int bothMissed;

    /// virtio 1.3, 2.7.7.1 and 2.7.13.4.1, as four accesses and nothing else.
    ///
    /// Caught, in most runs: `MappedMemory.fullFence` made a release fence.
    @Test
    void withAFullFenceOneOfTheTwoAlwaysSeesTheOther() {
        fourAccesses(memory::fullFence);

        assertEquals(0, bothMissed, "rounds in which neither saw the other");
    }

    /// The proof that the test above can fail at all, and that release and acquire are not enough.
    /// A machine that never shows it tells us nothing.
    @Test
    void withoutItBothMissEachOther() {
        for (int attempt = 0; attempt < 5 && bothMissed == 0; attempt++) {
            fourAccesses(() -> {});
        }

        Assumptions.assumeTrue(bothMissed > 0, "this machine never did a load before an earlier store");
    }

    /// virtio 1.3, 2.7.13.4.1 and 2.7.10.2: the same with a real queue. The driver adds a request
    /// while the device falls asleep.
    ///
    /// Caught, in most runs: the fence of `askForKick` removed, that of `deviceWantsKick` removed,
    /// `MappedMemory.fullFence` emptied.
    @ParameterizedTest
    @EnumSource(RingFormat.class)
    void theDriverKicksOrTheDeviceSeesTheRequest(RingFormat format) {
        Bench bench = new Setup(format, 4, true, true, 1).build();
        List<GuestRange> buffer = List.of(bench.ram.take(8));
        Random random = new Random(1);

        together(
                round -> {
                    dawdle(random.nextInt(200)); // adding takes longer than asking
                    sleeperMissed = !bench.device.askForKick();
                },
                round -> {
                    bench.driver.add(buffer, List.of(), round);
                    wakerMissed = !bench.driver.deviceWantsKick();
                },
                round -> serve(bench));

        assertEquals(0, bothMissed, "requests that nobody would ever have looked at");
    }

    /// virtio 1.3, 2.7.7.1 and 2.7.7.2: the device returns a chain while the driver falls asleep.
    ///
    /// Caught, in most runs: the fence of `driverWantsCall` removed, that of `askForCall` removed,
    /// `MappedMemory.fullFence` made a release fence.
    @ParameterizedTest
    @EnumSource(RingFormat.class)
    void theDeviceCallsOrTheDriverSeesTheReply(RingFormat format) {
        Bench bench = new Setup(format, 4, true, true, 1).build();
        List<GuestRange> buffer = List.of(bench.ram.take(8));
        Random random = new Random(1);
        bench.driver.add(buffer, List.of(), 0);
        AtomicInteger popped = new AtomicInteger(pop(bench));

        together(
                round -> {
                    dawdle(random.nextInt(4)); // so that either comes first at times
                    sleeperMissed = !bench.driver.askForCall();
                },
                round -> {
                    bench.device.push(popped.getPlain(), 0);
                    wakerMissed = !bench.device.driverWantsCall();
                },
                round -> {
                    poll(bench);
                    bench.driver.add(buffer, List.of(), round);
                    popped.setPlain(pop(bench));
                });

        assertEquals(0, bothMissed, "replies that nobody would ever have looked at");
    }

    private void fourAccesses(Runnable fence) {
        memory.store16(WISH, (short) 0);
        memory.store16(INDEX, (short) 0);
        together(
                round -> {
                    memory.store16(WISH, (short) round);
                    fence.run();
                    sleeperMissed = memory.loadAcquire16(INDEX) != (short) round;
                },
                round -> {
                    memory.storeRelease16(INDEX, (short) round);
                    fence.run();
                    wakerMissed = memory.load16(WISH) != (short) round;
                },
                round -> {});
    }

    /// In each round: sleeper and waker at the same moment, each on its own thread; then the
    /// waker's thread counts and clears up, alone.
    private void together(IntConsumer sleeper, IntConsumer waker, IntConsumer clearUp) {
        AtomicInteger arrivals = new AtomicInteger();
        Thread other = Thread.ofPlatform().daemon().start(() -> {
            for (int round = 1; round <= ROUNDS; round++) {
                meet(arrivals, 4 * round - 2);
                sleeper.accept(round);
                meet(arrivals, 4 * round);
            }
        });
        for (int round = 1; round <= ROUNDS; round++) {
            meet(arrivals, 4 * round - 2);
            waker.accept(round);
            meet(arrivals, 4 * round);
            bothMissed += sleeperMissed && wakerMissed ? 1 : 0;
            clearUp.accept(round);
        }
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void meet(AtomicInteger arrivals, int all) {
        arrivals.incrementAndGet();
        for (int looks = 1; arrivals.get() < all; looks++) {
            if (looks % 1000 == 0) {
                Thread.yield(); // the other may have no processor
            }
        }
    }

    private static void dawdle(int moments) {
        for (int i = 0; i < moments; i++) {
            Thread.onSpinWait();
        }
    }

    private static void serve(Bench bench) {
        bench.device.push(pop(bench), 0);
        poll(bench);
    }

    private static int pop(Bench bench) {
        try {
            return bench.device.pop().orElseThrow().head();
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private static void poll(Bench bench) {
        try {
            bench.driver.poll().orElseThrow();
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
