package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.dax.ObedientMapper;
import vitrine.conformance.rules.Needs;
import vitrine.dax.DaxPolicy;
import vitrine.dax.Window;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.wire.Name;

/// Which files a guest can have in its window, whatever it asks for and whoever else has them.
@Timeout(20)
class SetupMappingTest {

    /// Says when it has the lease, and when somebody wants the file; lets go when it is told to.
    private static final String HOLDER = """
            use IO::Handle; STDOUT->autoflush(1);
            $SIG{IO} = sub { print "wanted\\n" };
            open(F, "<", $ARGV[0]) && fcntl(F, 1024, 0) or die "$!"; # F_SETLEASE, F_RDLCK
            print "leased\\n";
            1 until sysread(STDIN, $_, 1);
            fcntl(F, 1024, 2); # F_UNLCK
            print "over\\n";
            """;

    private static final long RANGE = 2L << 20;
    private static final long READ = 2;
    private static final int RANGES = 8;

    @TempDir
    private Path share;

    private final Window window = new Window(SYS, RANGES * RANGE, SYS::dup);
    private Guest guest;

    @BeforeEach
    void serve() throws Exception {
        window.use(new ObedientMapper());
        guest = new Guest(share, PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()), Guest.ALL_FLAGS, window);
    }

    @AfterEach
    void close() {
        guest.close();
    }

    private DaxRequest.SetupMapping mapping(long nodeid, long offset) {
        return new DaxRequest.SetupMapping(guest.header(nodeid), new SetupMappingIn(-1, 0, RANGE, READ, offset));
    }

    /// A program on the host has a lease (fcntl(2)), as Samba has on what its clients keep, and who
    /// opens the file waits until it has been told and lets go. The front end maps for writing
    /// only, so the file is opened for that, even to be read. Meanwhile the window goes on.
    ///
    /// Seen to catch: DaxOperations.open that waits; Window.put that takes it for an error.
    @Test
    void aLeaseHoldsUpWhoWantsTheFileAndNobodyElse() throws Exception {
        Needs.tool("perl", "perl-base");
        Path leased = Files.writeString(share.resolve("leased"), "leased");
        Files.writeString(share.resolve("other"), "other");
        Process holder = new ProcessBuilder("perl", "-e", HOLDER, leased.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader says = holder.inputReader()) {
            assertEquals("leased", says.readLine());
            Reply.NotYet waits = assertInstanceOf(Reply.NotYet.class, guest.ask(mapping(guest.node("leased"), 0)));
            assertEquals(Reply.WaitsFor.A_LEASE, waits.waitsFor());
            assertEquals("wanted", says.readLine());

            assertSame(Reply.EMPTY, guest.ask(mapping(guest.node("other"), RANGE)));
            assertInstanceOf(Reply.NotYet.class, waits.attempt().answer());
            holder.outputWriter().append('\n').flush();
            assertEquals("over", says.readLine());
            assertSame(Reply.EMPTY, waits.attempt().answer());
        } finally {
            holder.destroy();
        }
        assertEquals(2, window.pieces());
    }

    /// Seen to catch: DaxOperations.setup without requireRegular (a FIFO is opened).
    @Test
    void onlyARegularFileThatTheGuestKnowsIsMapped() throws Exception {
        Files.createDirectory(share.resolve("directory"));
        Files.createSymbolicLink(share.resolve("link"), Path.of("directory"));
        Files.write(share.resolve("f"), new byte[10]);
        guest.mknod(Guest.ROOT, "fifo", 010600, 0);
        long file = guest.node("f");

        assertEquals(Errno.EISDIR, guest.errno(mapping(guest.node("directory"), 0)));
        assertEquals(Errno.EBADF, guest.errno(mapping(guest.node("link"), 0)));
        assertEquals(Errno.EBADF, guest.errno(mapping(guest.node("fifo"), 0)));
        assertEquals(0, guest.errno(mapping(file, 0)));
        guest.forget(file, 1);
        assertTrue(guest.errno(mapping(file, RANGE)) != 0);
        assertEquals(1, window.pieces());
    }

    /// Several queues ask for anything at once: pieces across others, removals of thousands, files
    /// that are being forgotten. Each gets an answer or an errno; no more pieces than there is room
    /// for, and no descriptor is left over.
    ///
    /// Seen to catch: Window.order that leaves the file open.
    @Test
    void aGuestThatAsksForAnythingGetsAnAnswer() throws Exception {
        for (int i = 0; i < 4; i++) {
            Files.write(share.resolve("f" + i), new byte[10_000]);
        }
        guest.lookup(Guest.ROOT, "f0");
        long before = descriptors();
        List<FutureTask<Void>> queues = new ArrayList<>();
        for (int queue = 0; queue < 3; queue++) {
            SplittableRandom random = new SplittableRandom(queue);
            FutureTask<Void> task = new FutureTask<>(() -> {
                for (int i = 0; i < 2000; i++) {
                    guest.errno(anything(random));
                    assertTrue(window.pieces() <= Window.MOST_PIECES);
                }
                return null;
            });
            Thread.ofPlatform().start(task);
            queues.add(task);
        }
        for (FutureTask<Void> queue : queues) {
            queue.get();
        }
        assertSame(Reply.EMPTY, window.empty());
        assertEquals(0, window.pieces());
        for (long nodeid = 2; nodeid < 40_000; nodeid++) {
            guest.forget(nodeid, 1 << 20);
        }
        assertTrue(descriptors() <= before, descriptors() + " descriptors, " + before + " before");
    }

    private FuseRequest anything(SplittableRandom random) throws ErrnoException {
        long page = random.nextInt(4) == 0 ? random.nextLong() : 4096L * random.nextInt((int) (RANGES * RANGE / 4096));
        long length = random.nextInt(3) == 0 ? RANGE : 4096L * random.nextInt(600);
        long offset = random.nextBoolean() ? page & -RANGE : page;
        long nodeid = random.nextInt(1, 60);
        return switch (random.nextInt(10)) {
            case 0 -> new InodeRequest.Forget(guest.header(nodeid), new ForgetIn(1));
            case 1, 2 -> new InodeRequest.Lookup(guest.header(Guest.ROOT), Name.of("f" + random.nextInt(4)));
            case 3 ->
                new DaxRequest.RemoveMapping(
                        guest.header(nodeid), Collections.nCopies(5000, new RemoveMappingOne(offset, length)));
            default ->
                new DaxRequest.SetupMapping(
                        guest.header(nodeid), new SetupMappingIn(-1, offset, length, random.nextInt(5), offset));
        };
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
