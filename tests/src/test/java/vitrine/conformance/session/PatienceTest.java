package vitrine.conformance.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.InHeader;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.posix.EventFd;
import vitrine.posix.WakeUp;

/// When a queue looks again before it sleeps. The guest of this test lives in the moments between:
/// its next request comes at the device's second look, or only when that has given up looking.
@Timeout(60)
class PatienceTest {

    private static final FuseRequest STATFS = new InodeRequest.Statfs(InHeader.of(2, 1, 0, 0, 0));

    /// For each request: how often the device had looked for it, before it came.
    private final List<Integer> looks = new ArrayList<>();

    private int looked;

    /// Serves `count` requests.
    ///
    /// @param prompt how many of them come at the second look; those before only when looking was
    ///     in vain
    private void serve(int count, int prompt) throws Exception {
        Needs.that(Runtime.getRuntime().availableProcessors() > 1, "with one processor nobody looks twice");
        CountDownLatch all = new CountDownLatch(count);
        try (Bench bench = new Bench(true, _ -> Reply.EMPTY);
                EventFd kick = EventFd.create(Bench.SYS);
                WakeUp wakeUp = new WakeUp(Bench.SYS, kick)) {
            bench.queue.aboutToLook = () -> {
                if (++looked == 2 && all.getCount() > 0 && all.getCount() <= prompt) {
                    next(bench, all);
                }
            };
            bench.queue.aboutToSleep = () -> {
                if (all.getCount() > 0) {
                    next(bench, all);
                }
            };
            Thread thread = Thread.ofPlatform().start(() -> bench.worker.run(wakeUp));
            assertTrue(all.await(30, TimeUnit.SECONDS));
            bench.worker.stop();
            wakeUp.stop();
            thread.join();
        }
    }

    private void next(Bench bench, CountDownLatch all) {
        looks.add(looked);
        looked = 0;
        try {
            bench.driver.poll();
        } catch (BrokenDeviceException e) {
            throw new AssertionError(e);
        }
        bench.add(STATFS);
        all.countDown();
    }

    /// Requests that keep coming promptly are waited for awake: no kick, no sleep. Now and then
    /// this machine has something else to do meanwhile.
    ///
    /// Caught: `lookAgain` that looks once only; no `RETRY`.
    @Test
    void whatComesPromptlyNeedsNoKick() throws Exception {
        serve(5000, 4999);

        long atSecondLook = looks.stream().filter(count -> count == 2).count();
        assertTrue(atSecondLook > 4000, () -> atSecondLook + " of 5000");
    }

    /// Where it is in vain, looking would only take the processor from the guest.
    ///
    /// Caught: `patience` that never falls; a `lookAgain` that does not ask for it.
    @Test
    void whoLooksInVainHardlyLooksAnyMore() throws Exception {
        serve(1000, 0);

        long looking = looks.stream().filter(count -> count > 1).count();
        assertTrue(looking <= 1 + 1000 / 32, () -> "looked for " + looking + " of 1000");
    }

    /// And a guest that becomes prompt again is found out.
    ///
    /// Caught: no `RETRY`.
    @Test
    void patienceComesBack() throws Exception {
        serve(3000, 2000);

        long atSecondLook =
                looks.subList(1000, 3000).stream().filter(count -> count == 2).count();
        assertTrue(atSecondLook > 1000, () -> atSecondLook + " of 2000");
    }
}
