package vitrine.conformance.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.LkIn;
import vitrine.memory.GuestMemory;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.session.FuseSession;
import vitrine.session.QueueWorker;
import vitrine.virtqueue.DescriptorChain;
import vitrine.wire.Buffers;

/// Requests that wait ([Reply.NotYet]): they keep neither their queue nor its thread, and each
/// chain comes back exactly once, whatever happens meanwhile.
@Timeout(20)
class ParkedRequestTest {

    private static final Syscalls SYS = new Syscalls(Libc.load());

    private final List<Line> lines = new ArrayList<>();
    private final GuestMemory memory = new GuestMemory(SYS);
    private volatile boolean locked = true;
    private final AtomicInteger tries = new AtomicInteger();
    private final Set<Reply.Attempt> givenUp = ConcurrentHashMap.newKeySet();
    private final AtomicInteger unique = new AtomicInteger();
    private final FuseSession session = new FuseSession(this::answer);

    @BeforeEach
    void start() throws Exception {
        InitIn in = new InitIn(7, 38, 0, 0, 0);
        session.serve(new DescriptorChain(
                0, new SessionRequest.Init(header(), in).encode().all(), Buffers.ofBytes(new byte[80]), 2));
    }

    @AfterEach
    void stop() {
        lines.forEach(Line::stop);
        memory.close();
    }

    /// A file system with one lock: FLUSH gives it up, SETLKW waits until it is.
    private Reply answer(FuseRequest request) {
        return switch (request) {
            case SessionRequest.Init _ -> new Reply.Struct(new InitOut(7, 38, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
            case LockRequest.Setlkw _ -> lock();
            case FileRequest.Flush _ -> {
                locked = false;
                yield Reply.EMPTY;
            }
            default -> Reply.EMPTY;
        };
    }

    private Reply lock() {
        tries.incrementAndGet();
        return locked ? new Reply.NotYet(new Attempt(), Reply.WaitsFor.A_LOCK) : Reply.EMPTY;
    }

    private final class Attempt implements Reply.Attempt {

        @Override
        public Reply answer() {
            return lock();
        }

        @Override
        public void giveUp() {
            givenUp.add(this);
        }
    }

    private InHeader header() {
        return InHeader.of(unique.addAndGet(2), 1, 0, 0, 1);
    }

    private FuseRequest waits() {
        return new LockRequest.Setlkw(header(), new LkIn(1, 2, new FileLock(0, 9, 1, 3), 0));
    }

    private FuseRequest releases() {
        return new FileRequest.Flush(header(), new FlushIn(1, 2));
    }

    private FuseRequest goesOn() {
        return new InodeRequest.Readlink(header());
    }

    private QueueWorker worker(ChainList chains) throws ErrnoException {
        EventFd event = EventFd.create(SYS);
        return new QueueWorker(new QueueWorker.Queue(1, chains, memory, event, event), session);
    }

    private Line line() throws ErrnoException {
        ChainList chains = new ChainList();
        Line line = Line.serve(SYS, chains, worker(chains));
        lines.add(line);
        return line;
    }

    private static void until(BooleanSupplier so) throws InterruptedException {
        while (!so.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    private static void untilBack(Line line, int head, int errno) throws InterruptedException {
        until(() -> line.chains().errno(head) != null);
        assertEquals(errno, line.chains().errno(head));
    }

    // --- waiting

    /// Others are served while one waits, and what it waits for comes through the same queue.
    ///
    /// Caught: a chain that is pushed although there is no reply.
    @Test
    void aQueueGoesOnMeanwhile() throws Exception {
        Line line = line();
        int waiting = line.send(waits());

        untilBack(line, line.send(goesOn()), 0);
        untilBack(line, line.send(goesOn()), 0);
        assertNull(line.chains().errno(waiting));
        int release = line.send(releases());

        untilBack(line, waiting, 0);
        List<Integer> order =
                line.chains().returned().stream().map(ChainList.Returned::head).toList();
        assertEquals(List.of(1, 2, release, waiting), order, "each once");
    }

    /// A release on another queue is heard at once, by a thread that sleeps too: the
    /// fastest of several takes less than the shortest pause.
    ///
    /// Caught: bells that are not rung.
    @Test
    void aReleaseOnAnotherQueueIsHeard() throws Exception {
        Line line = line();
        Line other = line();
        long fastest = Long.MAX_VALUE;

        for (int i = 0; i < 5; i++) {
            locked = true;
            int waiting = line.send(waits());
            Thread.sleep(200); // the pauses are long by now
            long start = System.nanoTime();
            other.send(releases());
            untilBack(line, waiting, 0);
            fastest = Math.min(fastest, System.nanoTime() - start);
        }

        assertTrue(fastest < 15_000_000, fastest + " ns");
    }

    /// Of what the host's processes release nobody tells us: a sleeping queue looks itself.
    ///
    /// Caught: a sleep without an end while requests are parked.
    @Test
    void whatNobodyTellsIsFound() throws Exception {
        Line line = line();
        int waiting = line.send(waits());
        until(() -> tries.get() > 3);

        locked = false;

        untilBack(line, waiting, 0);
    }

    /// An idle wait costs little: at most one try each 20 ms.
    @Test
    void tryingIsNotBusy() throws Exception {
        Line line = line();
        line.send(waits());
        until(() -> tries.get() > 2);
        int before = tries.get();

        Thread.sleep(400);

        assertTrue(tries.get() - before <= 20, tries.get() - before + " tries");
    }

    /// Those who wait leave room in the ring for the one who releases: more than a quarter of it is
    /// refused, and will not be tried again.
    ///
    /// Caught: a file system that is not told of it.
    @Test
    void waitersAreLimited() throws Exception {
        Line line = line();
        int most = ChainList.SIZE / 4;
        for (int i = 0; i < most; i++) {
            line.send(waits());
        }

        untilBack(line, line.send(waits()), Errno.ENOLCK);
        assertEquals(1, givenUp.size());

        line.send(releases());
        until(() -> line.chains().returned().size() == most + 2);
        untilBack(line, line.send(waits()), 0);
    }

    // --- the end

    /// A queue that stops answers those who wait, before it is stopped (vhost-user: "Ring states"),
    /// and nothing is tried afterwards.
    ///
    /// Caught: parked requests forgotten at the end; a file system that is not told of it.
    @Test
    void aStoppedQueueOwesNothing() throws Exception {
        Line line = line();
        int first = line.send(waits());
        int second = line.send(waits());
        until(() -> !line.chains().waiting());

        line.stop();

        assertEquals(
                List.of(new ChainList.Returned(first, Errno.ENOLCK), new ChainList.Returned(second, Errno.ENOLCK)),
                line.chains().returned());
        assertEquals(2, givenUp.size());
        int before = tries.get();
        line().send(releases());
        Thread.sleep(150);
        assertEquals(before, tries.get());
    }

    /// Memory that the guest gave away cannot take a reply. Then nothing is tried, for nobody would
    /// learn that it succeeded.
    ///
    /// Caught: the question whether it is alive left out.
    @Test
    void memoryMayGoMeanwhile() throws Exception {
        Line line = line();
        Arena region = Arena.ofShared();
        int waiting = line.chains().add(waits(), Buffers.of(region.allocate(64)));
        line.kick().signal();
        until(() -> tries.get() >= 1);

        region.close();
        int before = tries.get();
        untilBack(line, line.send(releases()), 0);

        untilBack(line, waiting, -1);
        assertTrue(tries.get() <= before + 1, "at most the try that was under way");
        until(() -> givenUp.size() == 1);
    }

    /// Guest and device on one thread: what waits within a step may be released in the same step;
    /// after it nobody could do so.
    ///
    /// Caught: what is left kept for the next step.
    @Test
    void aStepEndsWithoutWaiters() throws Exception {
        ChainList chains = new ChainList();
        QueueWorker worker = worker(chains);

        int granted = chains.add(waits());
        int release = chains.add(releases());
        worker.drain();
        locked = true;
        int refused = chains.add(waits());
        worker.drain();

        assertEquals(
                List.of(
                        new ChainList.Returned(release, 0),
                        new ChainList.Returned(granted, 0),
                        new ChainList.Returned(refused, Errno.EDEADLK)),
                chains.returned());
    }
}
