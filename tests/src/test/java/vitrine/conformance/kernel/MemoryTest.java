package vitrine.conformance.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.posix.HostKernel;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.InitOut;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.Completion;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.SetClock;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.process.ProgramMemory;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// What a guest remembers, and for how long. Time is the test's.
class MemoryTest {

    private static final Duration LONGER_THAN_A_SECOND = Duration.ofMillis(1001);
    private static final int PAGE = 4096;

    @TempDir
    private Path share;

    private final SetClock clock = new SetClock(1_700_000_000_000_000_000L);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void root() {
        Needs.root();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable it : opened.reversed()) {
            it.close();
        }
    }

    /// A guest of the share, and what it asks.
    private record Guest(Machine machine, GuestProcess program, CountingServer server) {

        String asked() {
            return server.taken().stream().map(Guest::text).collect(Collectors.joining(", "));
        }

        private static String text(FuseRequest request) {
            return switch (request) {
                case FileRequest.Read(var _, var in, var _) -> "READ " + in.size() / PAGE + " at " + in.offset() / PAGE;
                case FileRequest.Write(var _, var in, var _) -> "WRITE " + in.size() + " at " + in.offset();
                default -> request.opcode().name();
            };
        }
    }

    private Guest guest(CachePolicy policy, KernelProfile profile) throws Exception {
        PassthroughFs fileSystem =
                new PassthroughFs(HostKernel.SYS, share.toString(), PassthroughOptions.DEFAULT.withCache(policy));
        CountingServer server = new CountingServer(request -> withUsualBackground(fileSystem.answer(request)));
        Machine machine = Machine.stepped(
                server,
                MachineOptions.DEFAULT.withKernel(profile).withClock(clock).withQueueSize(1024));
        opened.add(fileSystem);
        opened.add(machine);
        Guest guest = new Guest(machine, machine.rootProgram(), server);
        guest.program.stat("/");
        guest.asked();
        return guest;
    }

    /// Our daemon lets a guest have as many requests under way as it likes; others say nothing.
    static Reply withUsualBackground(Reply reply) {
        return reply instanceof Reply.Struct(InitOut out)
                ? new Reply.Struct(new InitOut(
                        out.major(),
                        out.minor(),
                        out.maxReadahead(),
                        out.flags(),
                        0,
                        0,
                        out.maxWrite(),
                        out.timeGran(),
                        out.maxPages(),
                        out.mapAlignment(),
                        out.flags2(),
                        out.maxStackDepth(),
                        out.requestTimeout()))
                : reply;
    }

    private Guest guest(CachePolicy policy) throws Exception {
        return guest(policy, KernelProfile.LINUX_6_12);
    }

    /// A reader who goes through a file page by page gets 16, 32, 64 and then 128 KiB at once
    /// (`ondemand_readahead`): each window is asked for when the reader comes to the one before.
    ///
    /// Seen to catch: the mark of a window not taken for the place of the next one.
    @Test
    void aSteadyReaderIsReadAheadForInGrowingWindows() throws Exception {
        Files.write(share.resolve("f"), new byte[124 * PAGE]);
        Guest guest = guest(CachePolicy.AUTO);
        int fd = guest.program.open("/f", Fcntl.O_RDONLY);
        guest.asked();

        List<String> seen = new ArrayList<>();
        for (int page = 0; page < 125; page++) {
            guest.program.read(fd, PAGE);
            String asked = guest.asked();
            if (!asked.isEmpty()) {
                seen.add(page + ": " + asked);
            }
        }

        assertEquals(
                List.of(
                        "0: READ 4 at 0",
                        "1: READ 8 at 4",
                        "4: READ 16 at 12",
                        "12: READ 32 at 28",
                        "28: READ 32 at 60",
                        "60: READ 32 at 92"),
                seen);
    }

    /// Who jumps about gets what was asked for, and who asks for much gets a window at once.
    ///
    /// Seen to catch: twice as much read as was asked for.
    @Test
    void aReaderWithoutAPlanGetsWhatWasAskedFor() throws Exception {
        Files.write(share.resolve("f"), new byte[300 * PAGE]);
        Guest guest = guest(CachePolicy.AUTO);
        int fd = guest.program.open("/f", Fcntl.O_RDONLY);
        guest.asked();

        guest.program.pread(fd, PAGE, 200L * PAGE);
        guest.program.pread(fd, 2 * PAGE, 100L * PAGE + 1);
        assertEquals("READ 1 at 200, READ 3 at 100", guest.asked());
        guest.program.pread(fd, 64 * PAGE, 0);
        assertEquals("READ 32 at 0, READ 32 at 32, READ 32 at 64", guest.asked());
    }

    /// Two guests of one share disagree for a second and no longer: about sizes, names and data
    /// (fuse.h: AUTO_INVAL_DATA).
    ///
    /// Seen to catch: timeouts that never end; pages kept although another has written since.
    @Test
    void guestsDisagreeForAsLongAsTheServerAllows() throws Exception {
        Guest one = guest(CachePolicy.AUTO);
        Guest other = guest(CachePolicy.AUTO);
        Files.writeString(share.resolve("f"), "old");
        int reader = one.program.open("/f", Fcntl.O_RDONLY);
        assertEquals("old", new String(one.program.pread(reader, 10, 0)));
        assertEquals(3, one.program.fstat(reader).size()); // asked for: the read has changed the times

        int writer = other.program.open("/f", Fcntl.O_WRONLY | Fcntl.O_APPEND);
        other.program.write(writer, "er".getBytes());
        other.program.mkdir("/d", 0700);

        assertEquals("old", new String(one.program.pread(reader, 10, 0)));
        assertEquals(3, one.program.fstat(reader).size());
        assertEquals(Errno.ENOENT, errno(() -> other.program.stat("/e")));
        clock.pass(LONGER_THAN_A_SECOND);
        assertEquals("older", new String(one.program.pread(reader, 10, 0)));
        assertEquals(5, one.program.fstat(reader).size());
        other.program.rename("/d", "/e");
        assertEquals(0700, one.program.stat("/e").mode() & 0777, "that there was no such name was not remembered");
    }

    /// With a day of trust they disagree for a day; a new open does not help where the server said
    /// `FOPEN_KEEP_CACHE`.
    ///
    /// Seen to catch: timeouts that never end; pages dropped at each open.
    @Test
    void whatIsKeptForEverIsNotAskedForAgain() throws Exception {
        Files.writeString(share.resolve("f"), "old");
        Guest guest = guest(CachePolicy.ALWAYS);
        guest.program.pread(guest.program.open("/f", Fcntl.O_RDONLY), 10, 0);
        Files.writeString(share.resolve("f"), "new");
        guest.asked();

        clock.pass(Duration.ofHours(20));
        int fd = guest.program.open("/f", Fcntl.O_RDONLY);

        assertEquals("old", new String(guest.program.pread(fd, 10, 0)));
        assertEquals("OPEN", guest.asked());
        clock.pass(Duration.ofHours(5));
        assertEquals("new", new String(guest.program.pread(fd, 10, 0)));
    }

    /// A mapping sees what write(2) has written at once, and what a store has changed is seen by
    /// read(2): they are the same pages. The server hears of a store when it is synced.
    ///
    /// Seen to catch: a mapping that does not hold its file.
    @Test
    void aMappingAndTheFileAreTheSamePages() throws Exception {
        Files.write(share.resolve("f"), new byte[2 * PAGE]);
        Guest guest = guest(CachePolicy.AUTO);
        int fd = guest.program.open("/f", Fcntl.O_RDWR);
        ProgramMemory memory = guest.program.mmap(fd, 0, 2 * PAGE, true);
        memory.store(PAGE, "stored".getBytes());
        guest.asked();

        assertEquals("stored", new String(guest.program.pread(fd, 6, PAGE)));
        assertEquals(0, Files.readAllBytes(share.resolve("f"))[PAGE]);
        guest.program.pwrite(fd, "written".getBytes(), 10);
        assertEquals("written", new String(memory.load(10, 7)));
        guest.asked();
        memory.msync();

        assertEquals("WRITE 4096 at 4096, FSYNC", guest.asked());
        assertEquals('s', Files.readAllBytes(share.resolve("f"))[PAGE]);
        guest.program.close(fd);
        assertEquals("FLUSH", guest.asked()); // the mapping has the file still
        memory.close();
        assertEquals("RELEASE", guest.asked());
    }

    /// A page of which the guest knows a part only ends a WRITE (`fuse_fill_write_pages`); one that
    /// it knows does not.
    ///
    /// Seen to catch: a page that is known taken for unknown.
    @Test
    void anUnknownPageEndsAWrite() throws Exception {
        Files.write(share.resolve("f"), new byte[4 * PAGE]);
        Guest guest = guest(CachePolicy.ALWAYS);
        int fd = guest.program.open("/f", Fcntl.O_RDWR);
        guest.program.pwrite(fd, new byte[1], 3 * PAGE); // and nobody asks for capabilities any more
        guest.asked();
        guest.program.pwrite(fd, new byte[2 * PAGE], 100);
        assertEquals("WRITE 3996 at 100, WRITE 4196 at 4096", guest.asked());

        guest.program.pread(fd, 4 * PAGE, 0);
        guest.asked();
        guest.program.pwrite(fd, new byte[2 * PAGE], 100);

        assertEquals("WRITE 8192 at 100", guest.asked());
    }

    /// Of requests that nobody waits for, the server has twelve at most (fuse.h: max_background).
    ///
    /// Seen to catch: no limit.
    @Test
    void twelveDirectReadsAreUnderWayAndTheOthersWait() throws Exception {
        Files.write(share.resolve("f"), new byte[64 * PAGE]);
        Guest guest = guest(CachePolicy.AUTO);
        int fd = guest.program.open("/f", Fcntl.O_RDONLY | Fcntl.O_DIRECT);
        guest.asked();
        List<Completion<byte[]>> under = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            under.add(guest.program.submitRead(fd, PAGE, (long) i * PAGE));
        }
        assertEquals(12, guest.server.taken().size());

        for (Completion<byte[]> it : under.reversed()) {
            assertEquals(PAGE, it.await().length);
        }

        assertEquals(52, guest.server.taken().size());
        Completion<Integer> appended = guest.program.submitWrite(
                guest.program.open("/f", Fcntl.O_WRONLY | Fcntl.O_DIRECT | Fcntl.O_APPEND), new byte[PAGE], 0);
        assertEquals(PAGE, appended.await());
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws ErrnoException;
    }

    private static int errno(Attempt attempt) {
        return assertThrows(ErrnoException.class, attempt::run).errno();
    }
}
