package vitrine.conformance.virtqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.conformance.virtqueue.Bench.Setup;
import vitrine.guest.driver.GuestRange;
import vitrine.virtqueue.RingFormat;

/// Kicks and calls: none that is needed is left out, and few that are not needed are sent.
class SuppressionTest {

    private static final int REQUESTS = 300_000;
    private static final int PATIENCE = 10; // seconds; a lost wake-up would be waited for for ever

    /// An eventfd: signals add up, and waiting takes them all.
    private static final class Event {
        private final Semaphore signals = new Semaphore(0);
        final AtomicInteger sent = new AtomicInteger();

        void signal() {
            sent.incrementAndGet();
            signals.release();
        }

        void await(String sleeper) throws InterruptedException {
            if (!signals.tryAcquire(PATIENCE, TimeUnit.SECONDS)) {
                throw new AssertionError("the " + sleeper + " was never woken");
            }
            signals.drainPermits();
        }
    }

    /// virtio 1.3, 2.7.7 and 2.7.10. Both sides really sleep, so a lost kick or call ends the test.
    /// Before it sleeps each looks for a short random time, so that the other often comes just
    /// while it is falling asleep.
    ///
    /// Caught: `askForKick` returning false without looking; `passed` with the event not advanced
    /// by one; `avail_event` written one too far; `passed(…, 1)` for `passed(…, pushed)` on either
    /// side. Not caught: a missing fence, for two threads that sleep hardly ever meet within the
    /// few nanoseconds that count. [FullFenceTest] makes them meet.
    @ParameterizedTest(name = "{0}, event index {1}")
    @CsvSource({"SPLIT, true", "SPLIT, false", "PACKED, true", "PACKED, false"})
    void noKickAndNoCallIsEverLost(RingFormat format, boolean eventIndex) throws Exception {
        Bench bench = new Setup(format, 16, eventIndex, true, 1).build();
        Event kick = new Event();
        Event call = new Event();

        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> device = threads.submit(() -> {
                serve(bench, kick, call);
                return null;
            });
            try {
                request(bench, kick, call);
                device.get(PATIENCE, TimeUnit.SECONDS);
            } finally {
                threads.shutdownNow();
            }
        }

        assertTrue(kick.sent.get() < REQUESTS && call.sent.get() < REQUESTS, "nothing was ever suppressed");
    }

    /// virtio 1.3, 2.7.10.1: a device that is awake is not kicked, one that asked is, once.
    ///
    /// Caught: `refuseKicks` emptied (without event index); `addedSinceDecision` never set back;
    /// `passed(…, 1)` for `passed(…, added)` in `deviceWantsKick`.
    @ParameterizedTest(name = "{0}, event index {1}")
    @CsvSource({"SPLIT, true", "SPLIT, false", "PACKED, true", "PACKED, false"})
    void oneKickForABatchAndNoneForADeviceThatIsAwake(RingFormat format, boolean eventIndex) throws Exception {
        Bench bench = new Setup(format, 8, eventIndex, true, 2).build();
        GuestRange buffer = bench.ram.take(8);

        assertFalse(bench.device.askForKick());
        add(bench, buffer, 3);
        assertTrue(bench.driver.deviceWantsKick());

        bench.device.refuseKicks();
        bench.device.pop();
        add(bench, buffer, 2);
        assertFalse(bench.driver.deviceWantsKick()); // it is at work
        assertFalse(bench.driver.deviceWantsKick()); // and nothing is new

        assertTrue(bench.device.askForKick()); // four are waiting
        for (int i = 0; i < 4; i++) {
            assertTrue(bench.device.pop().isPresent());
        }
        assertFalse(bench.device.askForKick());
        add(bench, buffer, 1);
        assertTrue(bench.driver.deviceWantsKick());
    }

    /// virtio 1.3, 2.7.7.2: one call for a batch, judged over all that was pushed since the last
    /// decision and not only over the last chain.
    ///
    /// Caught: `passed(…, 1)` for `passed(…, pushed)` in `driverWantsCall`; `refuseCalls` emptied;
    /// `askForCall` returning false without looking; `pushedSinceDecision` never set back.
    @ParameterizedTest(name = "{0}, event index {1}")
    @CsvSource({"SPLIT, true", "SPLIT, false", "PACKED, true", "PACKED, false"})
    void oneCallForABatchAndNoneForADriverThatIsAwake(RingFormat format, boolean eventIndex) throws Exception {
        Bench bench = new Setup(format, 8, eventIndex, true, 2).build();
        add(bench, bench.ram.take(8), 6);

        assertFalse(bench.device.driverWantsCall()); // nothing pushed yet
        assertFalse(bench.driver.askForCall());
        serve(bench, 3);
        assertTrue(bench.device.driverWantsCall());

        bench.driver.refuseCalls();
        bench.driver.poll();
        serve(bench, 2);
        assertFalse(bench.device.driverWantsCall());

        assertTrue(bench.driver.askForCall()); // four are waiting
        bench.driver.drain(_ -> {});
        serve(bench, 1);
        assertTrue(bench.device.driverWantsCall());
        assertFalse(bench.device.driverWantsCall());
    }

    /// virtio 1.3, 2.7.7.2: indexes count modulo 65536, so a batch of more than that would look
    /// like a small one. A device that is never idle may push so many before it asks.
    ///
    /// Caught: the count of pushed chains taken modulo 65536, as from two indexes.
    @Test
    void aBatchLongerThanAnIndexCanCountStillCalls() throws Exception {
        Bench bench = new Setup(8, true, true, 2).build();
        GuestRange buffer = bench.ram.take(8);
        bench.driver.askForCall();

        for (int i = 0; i < 65_536; i++) {
            add(bench, buffer, 1);
            serve(bench, 1);
            bench.driver.poll();
        }

        assertTrue(bench.device.driverWantsCall());
    }

    private static void serve(Bench bench, Event kick, Event call) throws Exception {
        Random random = new Random(8);
        int served = 0;
        while (served < REQUESTS) {
            do {
                bench.device.refuseKicks();
                int looks = random.nextInt(60);
                while (looks-- > 0) {
                    for (var chain = bench.device.pop(); chain.isPresent(); chain = bench.device.pop()) {
                        bench.device.push(chain.get().head(), 0);
                        served++;
                    }
                    if (bench.device.driverWantsCall()) {
                        call.signal();
                    }
                }
            } while (bench.device.askForKick());
            if (served < REQUESTS) {
                kick.await("device");
            }
        }
    }

    private static void request(Bench bench, Event kick, Event call) throws Exception {
        Random random = new Random(9);
        GuestRange buffer = bench.ram.take(8);
        int sent = 0;
        AtomicInteger answered = new AtomicInteger();
        while (answered.get() < REQUESTS) {
            if (sent == answered.get()) { // nothing in flight: one or a few new requests
                for (int batch = random.nextInt(1, 4); batch > 0 && sent < REQUESTS; batch--, sent++) {
                    add(bench, buffer, 1);
                }
                if (bench.driver.deviceWantsKick()) {
                    kick.signal();
                }
            }
            int looks = random.nextInt(60);
            while (answered.get() < sent && looks-- > 0) {
                bench.driver.poll().ifPresent(_ -> answered.incrementAndGet());
            }
            bench.driver.drain(_ -> answered.incrementAndGet());
            if (answered.get() < sent) {
                call.await("driver");
            }
        }
        assertEquals(REQUESTS, sent);
    }

    private static void add(Bench bench, GuestRange buffer, int count) {
        for (int i = 0; i < count; i++) {
            bench.driver.add(List.of(buffer), List.of(), i).orElseThrow();
        }
    }

    private static void serve(Bench bench, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            bench.device.push(bench.device.pop().orElseThrow().head(), 0);
        }
    }
}
