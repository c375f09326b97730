package vitrine.conformance.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Libc;
import vitrine.posix.RangeLock;
import vitrine.posix.Syscalls;

/// Programs in two guests of one directory, through rings, sockets and threads.
@Timeout(60)
class TwoGuestsTest {

    private static final PassthroughOptions LOCKS =
            PassthroughOptions.DEFAULT.with(Feature.POSIX_LOCKS).with(Feature.FLOCKS);
    private static final RangeLock ALL = new RangeLock(Fcntl.F_WRLCK, 0, RangeLock.END_OF_FILE);
    private static final RangeLock NOTHING = new RangeLock(Fcntl.F_UNLCK, 0, RangeLock.END_OF_FILE);
    private static final Syscalls SYS = new Syscalls(Libc.load());

    private Path directory;
    private PassthroughFs firstFs;
    private PassthroughFs secondFs;
    private Machine first;
    private Machine second;

    @BeforeEach
    void boot(@TempDir Path temporary) throws Exception {
        Needs.root();
        directory = temporary;
        Files.writeString(directory.resolve("f"), "data");
        firstFs = new PassthroughFs(SYS, directory.toString(), LOCKS);
        secondFs = new PassthroughFs(SYS, directory.toString(), LOCKS);
        first = Machine.inProcess(firstFs, MachineOptions.DEFAULT);
        second = Machine.inProcess(secondFs, MachineOptions.DEFAULT);
    }

    @AfterEach
    void switchOff() throws Exception {
        if (first != null) {
            first.close();
            second.close();
            firstFs.close();
            secondFs.close();
        }
    }

    @FunctionalInterface
    private interface Call {
        void run() throws ErrnoException;
    }

    /// Begins a call on a thread of its own, which waits for a lock by the time this returns.
    private static CompletableFuture<Integer> begin(Call call) throws InterruptedException {
        CompletableFuture<Integer> errno = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> errno.complete(errnoOf(call)));
        Thread.sleep(60);
        assertFalse(errno.isDone(), "it should wait");
        return errno;
    }

    private static int errnoOf(Call call) {
        try {
            call.run();
            return 0;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }

    private static void assertGranted(CompletableFuture<Integer> waiting) throws Exception {
        assertEquals(0, waiting.get(5, TimeUnit.SECONDS));
    }

    /// A program waits for the lock of one in the other guest. Its guest's only request queue goes
    /// on meanwhile, and the lock is granted after the unlock.
    @Test
    void whoWaitsKeepsNobodyElseWaiting() throws Exception {
        GuestProcess holder = first.rootProgram();
        int held = holder.open("/f", Fcntl.O_RDWR);
        holder.lock(held, ALL);
        GuestProcess waiter = second.rootProgram();
        int wanted = waiter.open("/f", Fcntl.O_RDWR);
        GuestProcess busy = second.rootProgram();

        var waiting = begin(() -> waiter.lockOrWait(wanted, ALL));
        int fd = busy.open("/f", Fcntl.O_RDWR);
        assertEquals("data", new String(busy.read(fd, 10)));
        assertEquals(Errno.EAGAIN, errnoOf(() -> busy.lock(fd, ALL)));
        assertEquals(0, busy.lockInTheWay(fd, ALL).pid(), "a process of another guest");
        holder.lock(held, NOTHING);

        assertGranted(waiting);
        assertEquals(waiter.task().pid(), busy.lockInTheWay(fd, ALL).pid());
    }

    /// So it is when the holder closes the file (FLUSH, RELEASE), and when its guest goes.
    @Test
    void locksGoWithTheirHolder() throws Exception {
        GuestProcess waiter = second.rootProgram();
        int wanted = waiter.open("/f", Fcntl.O_RDWR);

        GuestProcess posix = first.rootProgram();
        int held = posix.open("/f", Fcntl.O_RDWR);
        posix.lock(held, ALL);
        var afterFlush = begin(() -> waiter.lockOrWait(wanted, ALL));
        posix.close(held);
        assertGranted(afterFlush);
        waiter.lock(wanted, NOTHING);

        GuestProcess flock = first.rootProgram();
        int whole = flock.open("/f", Fcntl.O_RDWR);
        flock.flock(whole, Fcntl.LOCK_EX | Fcntl.LOCK_NB);
        var afterRelease = begin(() -> waiter.flock(wanted, Fcntl.LOCK_EX));
        flock.close(whole);
        assertGranted(afterRelease);
        waiter.flock(wanted, Fcntl.LOCK_UN); // without LOCK_NB: a SETLKW

        int last = posix.open("/f", Fcntl.O_RDWR);
        posix.lock(last, ALL);
        var afterDestroy = begin(() -> waiter.lockOrWait(wanted, ALL));
        first.close();
        assertGranted(afterDestroy);
        first = Machine.inProcess(firstFs, MachineOptions.DEFAULT);
    }

    /// flock(2) of two guests: the second one's fails with `LOCK_NB`, and without waits for the
    /// first. A process of the host is in the way just so.
    ///
    /// Field report: kata-containers #3408.
    @Test
    void aFileIsLockedOnce() throws Exception {
        GuestProcess one = first.rootProgram();
        GuestProcess two = second.rootProgram();
        int oneFd = one.open("/f", Fcntl.O_RDWR);
        int twoFd = two.open("/f", Fcntl.O_RDWR);

        one.flock(oneFd, Fcntl.LOCK_EX | Fcntl.LOCK_NB);
        assertEquals(Errno.EAGAIN, errnoOf(() -> two.flock(twoFd, Fcntl.LOCK_EX | Fcntl.LOCK_NB)));
        one.flock(oneFd, Fcntl.LOCK_UN);
        two.flock(twoFd, Fcntl.LOCK_EX | Fcntl.LOCK_NB);
        two.flock(twoFd, Fcntl.LOCK_UN | Fcntl.LOCK_NB);

        try (var host = SYS.openPath(directory.resolve("f").toString(), Fcntl.O_RDWR)) {
            SYS.flock(host, Fcntl.LOCK_SH);
            one.flock(oneFd, Fcntl.LOCK_SH | Fcntl.LOCK_NB);
            var waiting = begin(() -> two.flock(twoFd, Fcntl.LOCK_EX));
            one.flock(oneFd, Fcntl.LOCK_UN);
            Thread.sleep(150);
            assertFalse(waiting.isDone(), "the host has it still");
            SYS.flock(host, Fcntl.LOCK_UN);
            assertGranted(waiting);
        }
    }

    /// Two programs of one guest, each of which has a byte and waits for the other's: the second is
    /// told, and when it ends the first one goes on.
    ///
    /// Caught: circles that nobody looks for.
    @Test
    void programsOfOneGuestDoNotDeadlock() throws Exception {
        RangeLock firstByte = new RangeLock(Fcntl.F_WRLCK, 0, 0);
        RangeLock secondByte = new RangeLock(Fcntl.F_WRLCK, 1, 1);
        GuestProcess one = first.rootProgram();
        GuestProcess two = first.rootProgram();
        int oneFd = one.open("/f", Fcntl.O_RDWR);
        int twoFd = two.open("/f", Fcntl.O_RDWR);
        one.lock(oneFd, firstByte);
        two.lock(twoFd, secondByte);

        var waiting = begin(() -> one.lockOrWait(oneFd, secondByte));
        var told = CompletableFuture.supplyAsync(() -> errnoOf(() -> two.lockOrWait(twoFd, firstByte)));
        assertEquals(Errno.EDEADLK, told.get(5, TimeUnit.SECONDS));
        two.close(twoFd);

        assertGranted(waiting);
    }

    /// Guest and device on one thread: nobody could ever give the lock up.
    @Test
    void aSteppedMachineDoesNotWait() throws Exception {
        try (PassthroughFs fs = new PassthroughFs(SYS, directory.toString(), LOCKS);
                Machine stepped = Machine.stepped(fs, MachineOptions.DEFAULT)) {
            GuestProcess one = stepped.rootProgram();
            GuestProcess two = stepped.rootProgram();
            int oneFd = one.open("/f", Fcntl.O_RDWR);
            int twoFd = two.open("/f", Fcntl.O_RDWR);
            one.lock(oneFd, ALL);

            assertEquals(Errno.EDEADLK, errnoOf(() -> two.lockOrWait(twoFd, ALL)));
            one.lock(oneFd, NOTHING);
            two.lockOrWait(twoFd, ALL);
        }
    }

    /// Without the options the guest keeps its locks to itself: its programs are in each other's
    /// way, and nobody outside hears of it.
    ///
    /// Field report: kata-containers #3408.
    @Test
    void withoutTheOptionsLocksStayInTheGuest() throws Exception {
        try (PassthroughFs fs = new PassthroughFs(SYS, directory.toString(), PassthroughOptions.DEFAULT);
                Machine machine = Machine.stepped(fs, MachineOptions.DEFAULT)) {
            GuestProcess process = machine.rootProgram();
            int fd = process.open("/f", Fcntl.O_RDWR);

            process.lock(fd, ALL);

            GuestProcess other = machine.rootProgram();
            int others = other.open("/f", Fcntl.O_RDWR);
            assertEquals(Errno.EAGAIN, errnoOf(() -> other.lock(others, ALL)));
            process.close(fd);
            assertEquals(0, errnoOf(() -> other.lock(others, ALL)));
            GuestProcess outside = second.rootProgram();
            int theirs = outside.open("/f", Fcntl.O_RDWR);
            assertEquals(0, errnoOf(() -> outside.lock(theirs, ALL))); // the server knows of none
        }
    }
}
