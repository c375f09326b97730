package vitrine.conformance.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.daemon.VirtioFsDevice;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.SyncfsIn;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.Manners;
import vitrine.guest.hostile.LyingDriver;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.wire.MalformedException;

/// Several request queues (virtio 1.3, 5.11.2): what one of them waits for keeps no other.
class ParallelQueuesTest {

    private static final int REQUEST_QUEUES = 3;
    private static final long SLOW = 2;
    private static final long QUICK = 3;

    private final CountDownLatch slowOne = new CountDownLatch(1);
    private final CountDownLatch quickOnes = new CountDownLatch(REQUEST_QUEUES - 1);

    /// Who syncs the first file system waits until others have been served, which ask later.
    private Reply answer(FuseRequest request) throws ErrnoException {
        if (request instanceof SessionRequest.Init) {
            return new Reply.Struct(new InitOut(7, 38, 0, 0, 0, 0, 4096, 1, 0, 0, 0, 0, 0));
        }
        if (request.nodeid() == QUICK) {
            quickOnes.countDown();
        } else {
            slowOne.countDown();
            if (!isReached(quickOnes)) {
                throw new ErrnoException("nobody else was served", Errno.EDEADLK);
            }
        }
        return Reply.EMPTY;
    }

    private static boolean isReached(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] syncfs(long nodeid) {
        return new InodeRequest.Syncfs(InHeader.of(2 * nodeid, nodeid, 0, 0, 0), new SyncfsIn())
                .encode()
                .all()
                .toBytes();
    }

    /// A request that takes its time in one queue is overtaken by those in all others, over a real
    /// socket and with a thread for each.
    ///
    /// Seen to catch: one lock around `FuseSession.serve`.
    @Test
    void aSlowRequestKeepsItsOwnQueueOnly() throws Exception {
        UnixSocket[] pair = UnixSocket.pair(DaemonProcess.SYS);
        VirtioFsDevice device =
                new VirtioFsDevice(DaemonProcess.SYS, new FuseSession(this::answer), REQUEST_QUEUES, "");
        Backend backend = new Backend(Connection.over(pair[1]), device, DaemonProcess.SYS);
        Thread serving = Thread.ofPlatform().start(() -> run(backend));
        FrontendOptions options = FrontendOptions.of(Manners.QEMU_11, 4L << 20);
        try (Frontend frontend = Frontend.connect(DaemonProcess.SYS, pair[0], options)) {
            List<FrontendQueue> queues = frontend.startQueues(16);
            assertEquals(1 + REQUEST_QUEUES, queues.size());
            List<LyingDriver> drivers = queues.stream()
                    .skip(1)
                    .map(queue -> DaemonProcess.driver(frontend, queue))
                    .toList();
            var init = new SessionRequest.Init(InHeader.of(2, 0, 0, 0, 0), new InitIn(7, 38, 0, 0, 0));
            drivers.getFirst().ask(init.encode().all().toBytes(), 4096);

            CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(
                    () -> drivers.getFirst().ask(syncfs(SLOW), 4096).errno());
            assertTrue(isReached(slowOne));
            for (LyingDriver driver : drivers.subList(1, drivers.size())) {
                assertFalse(slow.isDone());
                assertEquals(0, driver.ask(syncfs(QUICK), 4096).errno());
            }

            assertEquals(0, slow.get(20, TimeUnit.SECONDS));
        }
        serving.join();
    }

    private static void run(Backend backend) {
        try (backend) {
            backend.run();
        } catch (MalformedException | ErrnoException e) {
            throw new IllegalStateException(e);
        }
    }
}
