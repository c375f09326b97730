package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import vitrine.memory.MappedMemory;
import vitrine.memory.SharedMemory;

/// The handshake of sleeper and waker boiled down to four accesses, on two real processors.
///
/// ```
///   sleeper                          waker
///   store: wake me at this entry     store (release): idx
///   full fence                       full fence
///   load (acquire): idx              load: wake me at ...
/// ```
///
/// If the sleeper sees the old index *and* the waker the old wish, the queue hangs.
class FullFenceTest {

    private static final int ROUNDS = 300_000;
    private static final long WISH = 0; // a cache line of its own for each
    private static final long INDEX = 128;

    private final SharedMemory memory = new MappedMemory(Arena.ofAuto().allocate(256, 128));

    /// virtio 1.3, 2.7.7.1 and 2.7.13.4.1.
    ///
    /// Caught: `MappedMemory.fullFence` emptied, and made a release fence.
    @Test
    void withAFullFenceOneOfTheTwoAlwaysSeesTheOther() {
        int missed = bothMissed(memory::fullFence, ROUNDS);

        assertEquals(0, missed, "rounds in which neither saw the other");
    }

    /// The proof that the test above can fail at all, and that release and acquire are not enough.
    /// How often depends on the machine; one that never shows it tells us nothing.
    @Test
    void withoutItBothMissEachOther() {
        int missed = 0;
        for (int attempt = 0; attempt < 50 && missed == 0; attempt++) {
            missed = bothMissed(() -> {}, ROUNDS / 10);
        }

        Assumptions.assumeTrue(missed > 0, "this machine never reordered a load before a store");
    }

    private int bothMissed(Runnable fence, int rounds) {
        boolean[] sleeperMissed = new boolean[rounds + 1];
        boolean[] wakerMissed = new boolean[rounds + 1];
        AtomicInteger arrived = new AtomicInteger();
        memory.store16(WISH, (short) 0);
        memory.store16(INDEX, (short) 0);

        Thread sleeper = Thread.ofPlatform().start(() -> {
            for (int round = 1; round <= rounds; round++) {
                meet(arrived, round);
                memory.store16(WISH, (short) round);
                fence.run();
                sleeperMissed[round] = memory.loadAcquire16(INDEX) != (short) round;
            }
        });
        for (int round = 1; round <= rounds; round++) {
            meet(arrived, round);
            memory.storeRelease16(INDEX, (short) round);
            fence.run();
            wakerMissed[round] = memory.load16(WISH) != (short) round;
        }
        join(sleeper);

        int missed = 0;
        for (int round = 1; round <= rounds; round++) {
            missed += sleeperMissed[round] && wakerMissed[round] ? 1 : 0;
        }
        return missed;
    }

    /// Lets both start a round at the same moment.
    private static void meet(AtomicInteger arrived, int round) {
        arrived.incrementAndGet();
        for (int spins = 1; arrived.get() < 2 * round; spins++) {
            if (spins % 1000 == 0) {
                Thread.yield(); // the other may have no processor
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
