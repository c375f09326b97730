package vitrine.conformance.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.posix.HostKernel;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// What is read ahead is under way while the reader goes on (fuse.h: FUSE_ASYNC_READ). The server
/// here keeps READs back that begin at a page of the test's choice.
@Timeout(30)
class ReadAheadTest {

    private static final int PAGE = 4096;
    private static final int PAGES = 64;

    @TempDir
    private Path share;

    private final byte[] bytes = new byte[PAGES * PAGE];
    private final List<Long> asked = new ArrayList<>(); // the first pages of all READs
    private volatile long heldBack = -1;
    private PassthroughFs fileSystem;
    private Machine machine;

    @BeforeEach
    void write() throws Exception {
        Needs.root();
        new Random(7).nextBytes(bytes);
        for (int i = 0; i < 12; i++) {
            Files.write(share.resolve("f" + i), bytes);
        }
        fileSystem = new PassthroughFs(
                HostKernel.SYS, share.toString(), PassthroughOptions.DEFAULT.withCache(CachePolicy.ALWAYS));
    }

    @AfterEach
    void close() throws Exception {
        heldBack = -1;
        machine.close();
        fileSystem.close();
    }

    private GuestProcess boot(KernelProfile profile) throws Exception {
        machine = Machine.inProcess(this::answer, MachineOptions.DEFAULT.withKernel(profile));
        return machine.rootProgram();
    }

    private Reply answer(FuseRequest request) throws ErrnoException {
        if (!(request instanceof FileRequest.Read(var _, var in, var _))) {
            return MemoryTest.withUsualBackground(fileSystem.answer(request));
        }
        long page = in.offset() / PAGE;
        synchronized (asked) {
            asked.add(page);
        }
        return page == heldBack ? whenReleased(request) : fileSystem.answer(request);
    }

    private Reply whenReleased(FuseRequest request) throws ErrnoException {
        return heldBack < 0
                ? fileSystem.answer(request)
                : new Reply.NotYet(() -> whenReleased(request), Reply.WaitsFor.A_LOCK);
    }

    /// What is asked for by and by.
    private void awaitAsked(List<Long> pages) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!asked().equals(pages) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertEquals(pages, asked());
    }

    private List<Long> asked() {
        synchronized (asked) {
            return List.copyOf(asked);
        }
    }

    private byte[] page(int number) {
        return Arrays.copyOfRange(bytes, number * PAGE, (number + 1) * PAGE);
    }

    /// The reader comes to the mark of the first window and asks for the second; it goes on through
    /// the first one while that is under way, and waits when it needs a page of it.
    ///
    /// Seen to catch: a READ that is waited for where it is sent.
    @Test
    void aReaderWaitsForNoPageButTheOneItNeeds() throws Exception {
        GuestProcess program = boot(KernelProfile.LINUX_6_12);
        int fd = program.open("/f0", Fcntl.O_RDONLY);
        heldBack = 4;

        for (int page = 0; page < 4; page++) {
            assertArrayEquals(page(page), program.read(fd, PAGE));
        }
        awaitAsked(List.of(0L, 4L));
        CompletableFuture<byte[]> fifth = CompletableFuture.supplyAsync(() -> read(program, fd));
        assertThrows(TimeoutException.class, () -> fifth.get(100, TimeUnit.MILLISECONDS));
        awaitAsked(List.of(0L, 4L, 12L)); // the next window, before the page is waited for

        heldBack = -1;
        assertArrayEquals(page(4), fifth.get());
    }

    /// Without ASYNC_READ each READ is waited for.
    ///
    /// Seen to catch: the flag not looked at.
    @Test
    void withoutTheFlagAllIsWaitedFor() throws Exception {
        GuestProcess program = boot(KernelProfile.LINUX_6_12.without(InitFlag.ASYNC_READ));
        int fd = program.open("/f0", Fcntl.O_RDONLY);
        heldBack = 4;

        read(program, fd);
        CompletableFuture<byte[]> second = CompletableFuture.supplyAsync(() -> read(program, fd));
        assertThrows(TimeoutException.class, () -> second.get(100, TimeUnit.MILLISECONDS));

        heldBack = -1;
        assertArrayEquals(page(1), second.get());
    }

    /// While nine READs are under way (fuse.h: congestion_threshold), no more is read ahead; what
    /// is needed is.
    ///
    /// Seen to catch: no threshold.
    @Test
    void nothingIsReadAheadForABusyServer() throws Exception {
        GuestProcess program = boot(KernelProfile.LINUX_6_12);
        heldBack = 4;
        for (int i = 0; i < 12; i++) {
            int fd = program.open("/f" + i, Fcntl.O_RDONLY);
            assertArrayEquals(page(0), program.read(fd, PAGE));
            assertArrayEquals(page(1), program.read(fd, PAGE));
        }

        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            expected.addAll(i < 9 ? List.of(0L, 4L) : List.of(0L));
        }
        awaitAsked(expected);
        heldBack = -1;
        assertArrayEquals(page(4), program.pread(3 + 11, PAGE, 4L * PAGE));
    }

    /// A write to a page that is under way comes after the READ.
    ///
    /// Seen to catch: a write that does not wait for the page.
    @Test
    void aPageThatIsUnderWayIsNotWrittenToBefore() throws Exception {
        GuestProcess program = boot(KernelProfile.LINUX_6_12);
        int fd = program.open("/f0", Fcntl.O_RDWR);
        heldBack = 4;
        read(program, fd);
        read(program, fd);
        CompletableFuture<Integer> written = CompletableFuture.supplyAsync(() -> write(program, fd));
        assertThrows(TimeoutException.class, () -> written.get(100, TimeUnit.MILLISECONDS));

        heldBack = -1;

        assertEquals(PAGE, written.get());
        assertArrayEquals(page(9), program.pread(fd, PAGE, 4L * PAGE));
    }

    private static byte[] read(GuestProcess program, int fd) {
        try {
            return program.read(fd, PAGE);
        } catch (ErrnoException e) {
            throw new IllegalStateException(Errno.name(e.errno()), e);
        }
    }

    private int write(GuestProcess program, int fd) {
        try {
            return program.pwrite(fd, page(9), 4L * PAGE);
        } catch (ErrnoException e) {
            throw new IllegalStateException(Errno.name(e.errno()), e);
        }
    }
}
