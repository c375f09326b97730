package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.daemon.DaemonProcess.SYS;
import static vitrine.guest.hostile.LyingFrontend.ringFd;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.DriverRing;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.hostile.LyingDriver;
import vitrine.guest.hostile.LyingFrontend;
import vitrine.posix.EventFd;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.RingMessage;
import vitrine.virtqueue.RingFormat;

/// A front end that is broken, before the daemon's process. It may lose its own ring by that, and
/// nothing else: other rings go on, and the next front end is served.
class LyingFrontendTest {

    private static final FuseRequest INIT =
            new SessionRequest.Init(InHeader.of(2, 1, 0, 0, 0), new InitIn(7, 38, 0, -1, -1));
    private static final int SIZE = 16; // of each ring
    private static final int PAGE = 4096;
    private static final RamLayout.Range DIMM = new RamLayout.Range(1L << 30, 1L << 20);

    @TempDir
    Path temporary;

    private final DaemonProcess daemon = SharedDaemon.process();
    private final List<EventFd> events = new ArrayList<>();
    private LyingFrontend frontend;

    @BeforeEach
    void connect() throws Exception {
        Needs.root();
        frontend = new LyingFrontend(
                SYS, UnixSocket.connect(SYS, daemon.socket()), RamLayout.onePiece(4 << 20), Victim.PATIENCE);
        assertTrue(frontend.announce(frontend.ram().pieces().getFirst()));
    }

    @AfterEach
    void theNextFrontEndIsServed() throws Exception {
        frontend.close();
        connect();
        verifyServed(start(1, event()));
        frontend.close();
        events.forEach(EventFd::close);
        assertTrue(daemon.isAlive());
    }

    /// eventfd(2): a write that would make the counter overflow waits, if the descriptor is a
    /// blocking one. Whether it is, is for the front end to choose.
    ///
    /// Caught: `EventFd.signal` that does not ask whether the counter is full (the second request
    /// is not answered, and the ring cannot be stopped).
    @Test
    void aFullCallThatBlocksKeepsNobody() throws Exception {
        Fd call = new Fd(SYS.libc().eventfd(0, Fcntl.O_CLOEXEC), SYS.libc());
        assertEquals(8, write(call, -2)); // the most that a counter can be
        FrontendQueue queue = start(1, EventFd.of(SYS, call));
        LyingDriver driver = new LyingDriver(queue.ring().split(), frontend.ram(), new Deaf(queue), Victim.PATIENCE);

        for (int i = 0; i < 3; i++) {
            assertEquals(0, driver.ask(Attack.bytes(INIT), Attack.ROOM).errno());
        }

        assertTrue(frontend.tell(new RingMessage.SetVringEnable(1, 0)));
        call.close();
    }

    /// vhost-user, "SET_VRING_CALL": an eventfd. Writing to a pipe that nobody reads would wait one
    /// day, and writing to a file would be damage.
    ///
    /// Caught: `EventFd.of` that takes what comes.
    @Test
    void whatIsNoEventfdIsRefused() throws Exception {
        FrontendQueue queue = start(1, event());
        Path file = Path.of(temporary.toString(), "file");
        UnixSocket[] pair = UnixSocket.pair(SYS);
        try (Fd fd = SYS.openPath(file.toString(), Fcntl.O_RDWR | Fcntl.O_CREAT);
                Fd memory = SYS.memfdCreate("memory");
                Fd epoll = SYS.epollCreate();
                UnixSocket one = pair[0];
                UnixSocket other = pair[1]) {
            for (Fd wrong : List.of(fd, memory, epoll, one.fd(), other.fd())) {
                assertFalse(frontend.tell(new RingMessage.SetVringCall(ringFd(1, wrong))));
                assertFalse(frontend.tell(new RingMessage.SetVringErr(ringFd(1, wrong))));
                assertFalse(frontend.tell(new RingMessage.SetVringKick(ringFd(1, wrong))));
            }

            verifyServed(queue);
        }
        assertEquals(0, file.toFile().length());
    }

    /// A file behind memory may be made shorter at any time, and whoever touches what is gone gets
    /// SIGBUS. If a ring lies there, that ring is lost.
    ///
    /// Caught: `InternalError` not caught in `QueueWorker.run` (no error is signalled), and not in
    /// `Ring.settle` (the process ends).
    @Test
    void aRingWhoseFileIsMadeShorterIsLostAlone() throws Exception {
        GuestRam.Piece dimm = frontend.ram().plug(DIMM);
        assertTrue(frontend.announce(dimm));
        FrontendQueue lost = start(1, event(), DIMM.start());
        verifyServed(lost);
        FrontendQueue kept = start(0, event());

        SYS.ftruncate(dimm.fd(), 0);
        lost.kick().signal();

        assertTrue(DaemonProcess.isSignalled(lost.error(), Victim.PATIENCE));
        verifyServed(kept);
        assertTrue(frontend.tell(new RingMessage.SetVringEnable(1, 0)));
        assertFalse(frontend.tell(new RingMessage.SetVringEnable(1, 1)));
        assertTrue(frontend.tell(new MemoryMessage.RemMemReg(dimm.region())));
        verifyServed(start(1, event()));
        verifyServed(kept);
    }

    /// A line for each lie would fill the host's disk. After a while there may be lines again.
    ///
    /// Caught: `QUOTA.take()` not asked by the log.
    @Test
    void whoLiesWithoutEndDoesNotFillTheLog() throws Exception {
        Path share = Files.createDirectory(temporary.resolve("share"));
        RamLayout ram = RamLayout.onePiece(PAGE);
        try (DaemonProcess own = DaemonProcess.serving(temporary, share);
                LyingFrontend liar =
                        new LyingFrontend(SYS, UnixSocket.connect(SYS, own.socket()), ram, Victim.PATIENCE)) {
            RingMessage lie = new RingMessage.SetVringNum(0, 3);
            for (int i = 0; i < 3000; i++) {
                liar.say(lie);
            }
            assertFalse(liar.tell(lie));
            assertTrue(own.err().lines().count() < 250, own.err());
            assertTrue(own.err().contains("3 entries"), own.err());

            Thread.sleep(2000);

            assertFalse(liar.tell(lie));
            assertTrue(own.err().contains("lines were left out"), own.err());
        }
    }

    private static long write(Fd eventfd, long value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment eight = arena.allocateFrom(ValueLayout.JAVA_LONG, value);
            return SYS.libc().write(eventfd.number(), eight.address(), eight.byteSize());
        }
    }

    private EventFd event() throws Exception {
        EventFd event = EventFd.create(SYS);
        events.add(event);
        return event;
    }

    private FrontendQueue start(int index, EventFd call) throws Exception {
        return start(index, call, frontend.ram().reserve(3 * PAGE, PAGE));
    }

    private FrontendQueue start(int index, EventFd call, long at) throws Exception {
        FrontendQueue.Place place = new FrontendQueue.Place(RingFormat.SPLIT, SIZE, at, at + PAGE, at + 2 * PAGE);
        FrontendQueue queue = new FrontendQueue(
                index,
                new DriverRing(RingFormat.SPLIT, place.areas(frontend.ram()), true),
                place,
                event(),
                call,
                event());
        assertTrue(frontend.start(queue));
        return queue;
    }

    private void verifyServed(FrontendQueue queue) {
        LyingDriver driver = DaemonProcess.driver(frontend.ram(), queue);
        assertEquals(0, driver.ask(Attack.bytes(INIT), Attack.ROOM).errno());
    }

    /// Does not listen to calls, and so leaves their counter as it is.
    private record Deaf(FrontendQueue queue) implements Doorbell {

        @Override
        public void kick() {
            queue.kick().signal();
        }

        @Override
        public boolean awaitCall(Duration limit) {
            try {
                Thread.sleep(1);
                return !limit.isZero();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
