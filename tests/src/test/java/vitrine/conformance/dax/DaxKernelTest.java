package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.dax.DaxPolicy;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.guest.process.ProgramMemory;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// What a guest asks that uses a DAX window. The sequences are those of Linux 6.12, seen on the
/// wire, but for the strategies that never came into Linux.
@Timeout(60)
class DaxKernelTest {

    private static final int MIB = 1 << 20;
    private static final long SIZE = 8L * MIB;
    private static final MachineOptions ALWAYS = MachineOptions.DEFAULT.withDax(DaxMode.ALWAYS);

    private static EndlessHost host;

    @TempDir
    private Path share;

    private DaxGuest guest;
    private int fd;

    @BeforeAll
    static void mount() {
        host = EndlessHost.needed();
    }

    @AfterAll
    static void unmount() {
        host.close();
    }

    @BeforeEach
    void makeFile() throws Exception {
        try (var file = new RandomAccessFile(share.resolve("f").toFile(), "rw")) {
            file.setLength(SIZE);
        }
    }

    @AfterEach
    void close() throws ErrnoException {
        if (guest != null) {
            guest.close();
        }
    }

    private void boot(DaxGuest.Share shared, MachineOptions options) throws Exception {
        guest = new DaxGuest(shared, options, Machine::stepped);
        fd = guest.program.open("/f", Fcntl.O_RDWR);
    }

    private void boot(int ranges) throws Exception {
        boot(DaxGuest.Share.of(host, share, ranges), ALWAYS);
    }

    private String asked(DaxGuest.Deed deed) throws Exception {
        return guest.asked(SIZE, deed);
    }

    /// Each range is asked for once; what was seen is free, for whoever opens the file.
    ///
    /// Seen to catch: Access.outcome that maps again what is there; partOf that reads on in the
    /// next slot.
    @Test
    void whatWasSeenOnceCostsNothing() throws Exception {
        boot(16);
        assertEquals("map 0 at 0 r", asked(() -> guest.program.pread(fd, 4096, 0)));
        assertEquals("", asked(() -> guest.program.pread(fd, 4096, MIB)));
        assertEquals("map 2 at 2 r", asked(() -> guest.program.pread(fd, 4096, 3 * MIB)));
        assertEquals("map 4 at 4 r", asked(() -> guest.program.pread(fd, 4096, 4 * MIB - 9)));
        int other = guest.program.open("/f", Fcntl.O_RDONLY);
        assertEquals("", asked(() -> guest.program.pread(other, 6 * MIB, 0)));
        assertEquals("", asked(() -> guest.program.pread(fd, 4096, SIZE)), "behind the end");
    }

    /// A range that was read is asked for once more before the first write, in the same slot.
    ///
    /// Seen to catch: Access.outcome without LEAVE_TO_WRITE.
    @Test
    void aRangeIsLeftToWriteWhenItIsWritten() throws Exception {
        boot(16);
        guest.program.pread(fd, 1, 0);
        assertEquals("map 0 at 0 rw", asked(() -> guest.program.pwrite(fd, new byte[10], 5)));
        assertEquals("", asked(() -> guest.program.pwrite(fd, new byte[10], 4096)));
        assertEquals("map 6 at 2 rw", asked(() -> guest.program.pwrite(fd, new byte[10], 7 * MIB)));
        assertEquals("", asked(() -> guest.program.pread(fd, 10, 7 * MIB)));
    }

    /// The four ways to make a file longer: an append, one more, and a write across the end.
    ///
    /// Seen to catch: each of the four taken for another one.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            WRITE           | WRITE 0+5                     | WRITE 5+5     | WRITE -8+50
            SPLIT           | WRITE 0+5                     | WRITE 5+5     | map 6 at 0 rw, map 8 at 2 rw, WRITE 10+32
            FALLOCATE_FIRST | FALLOCATE 0+5, map 8 at 0 rw  | FALLOCATE 5+5 | FALLOCATE -8+50, map 6 at 2 rw
            TRUNCATE_FIRST  | SETATTR, map 8 at 0 rw        | SETATTR       | SETATTR, map 6 at 2 rw
            """)
    void aFileGrowsInOneOfFourWays(ExtendingWrite strategy, String first, String second, String across)
            throws Exception {
        boot(DaxGuest.Share.of(host, share, 16), ALWAYS.withExtendingWrite(strategy));
        int appending = guest.program.open("/f", Fcntl.O_WRONLY | Fcntl.O_APPEND);

        assertEquals(first, asked(() -> guest.program.write(appending, new byte[5])));
        assertEquals(second, asked(() -> guest.program.write(appending, new byte[5])));
        assertEquals(across, asked(() -> guest.program.pwrite(fd, new byte[50], SIZE - 8)));
        assertEquals(SIZE + 42, Files.size(share.resolve("f")));
    }

    /// What was allocated is inside the file, and is written through the window.
    @Test
    void allocatedSpaceIsWrittenThroughTheWindow() throws Exception {
        boot(16);
        assertEquals("FALLOCATE 0+4096", asked(() -> guest.program.fallocate(fd, 0, SIZE, 4096)));
        assertEquals("map 8 at 0 rw", asked(() -> guest.program.pwrite(fd, new byte[4096], SIZE)));
    }

    /// Page faults ask for the same; msync(2) is an FSYNC of the data, munmap(2) nothing, and the
    /// file is closed when the last mapping is gone.
    ///
    /// Seen to catch: LinuxFile.letGo that counts no mappings; a fault behind the end that is let
    /// pass.
    @Test
    void aMappingAsksForWhatIsTouched() throws Exception {
        boot(16);
        ProgramMemory memory = guest.program.mmap(fd, 0, SIZE + 8192, true);
        assertEquals("map 4 at 0 r", asked(() -> memory.load(5 * MIB, 8)));
        assertEquals("map 4 at 0 rw", asked(() -> memory.store(5 * MIB, new byte[] {1})));
        assertEquals("", asked(() -> memory.store(5 * MIB, new byte[] {1, 2, 3})));
        assertThrows(BusErrorException.class, () -> memory.load(SIZE, 1));
        assertEquals("FSYNC", asked(memory::msync));
        assertEquals("", asked(() -> guest.program.close(fd)));
        assertEquals("RELEASE", asked(memory::close));
        assertEquals("unmap 0, FORGET", asked(() -> guest.machine.kernel().dropCaches()));
        assertEquals(3, Files.readAllBytes(share.resolve("f"))[5 * MIB + 2]);
    }

    /// A window of four ranges: when the last slot is taken the worker takes from whoever has had
    /// his for longest, one request each.
    ///
    /// Seen to catch: WorkerIsDue that is never; a free list that is last in, first out.
    @Test
    void theWorkerMakesRoomBeforeThereIsNone() throws Exception {
        boot(4);
        assertEquals("map 0 at 0 r, map 2 at 2 r, map 4 at 4 r", asked(() -> guest.program.pread(fd, 6 * MIB, 0)));
        assertEquals(
                "map 6 at 6 r, unmap 0, unmap 2, unmap 4, unmap 6", asked(() -> guest.program.pread(fd, 1, 6 * MIB)));
        assertEquals("map 0 at 0 r", asked(() -> guest.program.pread(fd, 1, 0)));
    }

    /// In a window of one range a file gives up its own range for the next, within one call; a page
    /// fault waits for the worker.
    ///
    /// Seen to catch: SlotFrom without SAME_FILE.
    @Test
    void aFileGivesUpItsOwnRangeForTheNext() throws Exception {
        boot(2);
        assertEquals(
                "map 0 at 0 r, map 2 at 2 r, unmap 0, map 4 at 0 r, unmap 2, map 6 at 2 r, unmap 0, unmap 2",
                asked(() -> guest.program.pread(fd, 8 * MIB, 0)));
    }

    /// What is left of a file goes before it is forgotten, in one request, the last part first;
    /// also if it has no name any more.
    ///
    /// Seen to catch: InodeCache.release that forgets first; evict from front to back.
    @Test
    void aFileIsTakenOutOfTheWindowBeforeItIsForgotten() throws Exception {
        boot(16);
        guest.program.pread(fd, 1, 0);
        guest.program.pread(fd, 1, 4 * MIB);
        guest.program.pread(fd, 1, 2 * MIB);
        guest.program.unlink("/f");
        assertEquals("RELEASE, unmap 2 4 0, FORGET", asked(() -> guest.program.close(fd)));
        assertEquals(0, guest.window.pieces());
    }

    /// A file in the window is used through it, whatever program and server say of caches.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void directIoIsNoOtherWay(boolean asked) throws Exception {
        PassthroughOptions never =
                PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()).withCache(CachePolicy.NEVER);
        boot(new DaxGuest.Share(host.files::open, share, 16, never), ALWAYS);
        int direct = guest.program.open("/f", Fcntl.O_RDWR | (asked ? Fcntl.O_DIRECT : 0));

        assertEquals("map 0 at 0 r", asked(() -> guest.program.pread(direct, 4096, 0)));
        assertEquals("map 0 at 0 rw", asked(() -> guest.program.pwrite(direct, new byte[4096], 0)));
    }

    /// The server names files of at least 4 MiB; the guest listens, does not, or does not ask.
    ///
    /// Seen to catch: OfFile that takes one mode for another.
    @ParameterizedTest
    @CsvSource({"INODE, map 0 at 0 r, READ", "NEVER, READ, READ", "ALWAYS, map 0 at 0 r, map 0 at 2 r"})
    void theMountDecidesWhichFiles(DaxMode mode, String large, String small) throws Exception {
        Files.write(share.resolve("small"), new byte[4096]);
        PassthroughOptions some = PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Large(4L * MIB));
        boot(new DaxGuest.Share(host.files::open, share, 16, some), MachineOptions.DEFAULT.withDax(mode));
        int other = guest.program.open("/small", Fcntl.O_RDONLY);

        assertEquals(large, asked(() -> guest.program.pread(fd, 10, 0)));
        assertEquals(small, asked(() -> guest.program.pread(other, 10, 0)));
    }

    /// dax=always without a window is an error of mount(2); dax=inode is not.
    @Test
    void aMountThatMustHaveAWindowNeedsOne() throws Exception {
        DaxGuest.Share none = new DaxGuest.Share(host.files::open, share, 0, PassthroughOptions.DEFAULT);

        assertEquals(
                Errno.EINVAL,
                assertThrows(ErrnoException.class, () -> boot(none, ALWAYS)).errno());
        boot(none, MachineOptions.DEFAULT);
        assertEquals("READ", asked(() -> guest.program.pread(fd, 10, 0)));
    }

    /// The same over a socket pair, with threads on both sides.
    @Test
    void soItIsOverASocket() throws Exception {
        guest = new DaxGuest(DaxGuest.Share.of(host, share, 2), ALWAYS, Machine::inProcess);
        fd = guest.program.open("/f", Fcntl.O_RDWR);
        for (int i = 0; i < 12; i++) {
            guest.program.pwrite(fd, new byte[] {(byte) i}, i * 5L * MIB % SIZE + i);
        }
        byte[] bytes = Files.readAllBytes(share.resolve("f"));
        for (int i = 0; i < 12; i++) {
            assertEquals(i, bytes[(int) (i * 5L * MIB % SIZE + i)]);
        }
        assertEquals(guest.window.pieces(), guest.machine.window().orElseThrow().pieces());
    }
}
