package vitrine.conformance.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.InHeader;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.WakeUp;

/// The same loop on a thread of its own, which sleeps on a real eventfd.
class QueueThreadTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final int ROUNDS = 20_000;

    private static final FuseRequest STATFS = new InodeRequest.Statfs(InHeader.of(2, 1, 0, 0, 0));

    /// A worker that runs, until this is closed.
    private record Running(Bench bench, EventFd kick, WakeUp wakeUp, Thread thread) implements AutoCloseable {

        static Running of(Bench bench) throws Exception {
            EventFd kick = EventFd.create(Bench.SYS);
            WakeUp wakeUp = new WakeUp(Bench.SYS, kick);
            Thread thread = Thread.ofPlatform().name("queue").start(() -> bench.worker.run(wakeUp));
            return new Running(bench, kick, wakeUp, thread);
        }

        /// @return whether it ended within that time
        boolean stop(long millis) {
            bench.worker.stop();
            wakeUp.stop();
            try {
                thread.join(millis);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return !thread.isAlive();
        }

        @Override
        public void close() {
            assertTrue(stop(TimeUnit.NANOSECONDS.toMillis(PATIENCE)));
            wakeUp.close();
            kick.close();
        }
    }

    /// virtio 1.3, 2.7.10.1: the driver asks whether to kick right when the device goes to sleep. One
    /// request at a time, kicked only when the device wants it, and at every moment of its way to sleep.
    ///
    /// Caught: the loop around `askForKick` removed.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noRequestIsLostOnTheWayToSleep(boolean eventIndex) throws Exception {
        Random random = new Random(1);
        try (Bench bench = new Bench(eventIndex, _ -> Reply.EMPTY);
                Running running = Running.of(bench)) {
            for (int round = 0; round < ROUNDS; round++) {
                bench.add(STATFS);
                if (bench.driver.deviceWantsKick()) {
                    running.kick.signal();
                }
                long deadline = System.nanoTime() + PATIENCE;
                while (bench.driver.poll().isEmpty()) {
                    assertTrue(System.nanoTime() < deadline, "request " + round + " is lost");
                    Thread.onSpinWait();
                }
                for (int pause = random.nextInt(random.nextBoolean() ? 60 : 2000); pause > 0; pause--) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /// Whoever stops a queue must not wait for the guest to be pleased. This guest has its next request
    /// in the ring before the last one is answered.
    ///
    /// Caught: `stopped` not asked in `serveAllWaiting`.
    @Test
    void stopEndsABusyQueueWithinASecond() throws Exception {
        AtomicReference<Bench> own = new AtomicReference<>();
        AtomicLong served = new AtomicLong();
        try (Bench bench = new Bench(true, _ -> {
                    served.incrementAndGet();
                    takeBackAndAdd(own.get());
                    return Reply.EMPTY;
                });
                Running running = Running.of(bench)) {
            own.set(bench);
            bench.add(STATFS);
            running.kick.signal();
            while (served.get() < 1000) {
                Thread.onSpinWait();
            }

            assertTrue(running.stop(1000), "still serving after a second");
        }
    }

    /// `GuestMemory.enter`: a region goes when the request that is being served in it is done, and not
    /// before.
    ///
    /// Caught: `memory.enter` removed from `QueueWorker.serveOne`.
    @Test
    void memoryGoesWhenTheRequestUnderWayIsDone() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Bench bench = new Bench(true, _ -> {
                    begun.countDown();
                    await(mayEnd);
                    return Reply.EMPTY;
                });
                Running running = Running.of(bench)) {
            bench.add(STATFS);
            running.kick.signal();
            await(begun);
            Thread unplugging = Thread.ofPlatform().daemon().start(() -> remove(bench));

            unplugging.join(200);
            assertTrue(unplugging.isAlive(), "the memory is gone while a request is being served in it");

            mayEnd.countDown();
            unplugging.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
            assertFalse(unplugging.isAlive());
            assertEquals(16, bench.driver.poll().orElseThrow().written());
        }
    }

    /// A front end that makes the file behind the guest's memory shorter takes the memory away from
    /// under the mapping. The JVM makes an Error of the SIGBUS; the queue says that it stops.
    ///
    /// Caught: `catch (RuntimeException | Error e)` removed from `QueueWorker.run`.
    @Test
    void memoryThatIsCutOffStopsTheQueueAndSaysSo() throws Exception {
        try (Bench bench = new Bench(true, _ -> Reply.EMPTY);
                Running running = Running.of(bench)) {
            bench.add(STATFS);
            Bench.SYS.ftruncate(bench.buffers.fd(), 0);
            running.kick.signal();

            assertEquals(1, Bench.SYS.poll(List.of(bench.error.fd()), 20_000), "the error was not signalled");
            running.thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
            assertFalse(running.thread.isAlive());
        }
    }

    private static void takeBackAndAdd(Bench bench) {
        try {
            bench.driver.poll();
            bench.add(STATFS);
        } catch (BrokenDeviceException e) {
            throw new AssertionError(e);
        }
    }

    private static void remove(Bench bench) {
        try {
            bench.memory.remove(bench.buffers.region());
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
