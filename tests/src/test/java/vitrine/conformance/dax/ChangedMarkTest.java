package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.dax.DaxPolicy;
import vitrine.dax.Window;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.InodeRequest;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.SetClock;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// The server names a file for DAX, and later does not any more, or the other way round: here by
/// its size, which changes on the host.
@Timeout(60)
class ChangedMarkTest {

    private static final long LARGE = 4L << 20;

    @TempDir
    private Path share;

    private final SetClock clock = new SetClock(1_700_000_000_000_000_000L);
    private EndlessHost host;
    private DaxGuest guest;

    @BeforeEach
    void makeFile() throws Exception {
        host = EndlessHost.needed();
        resize(LARGE);
    }

    @AfterEach
    void close() throws ErrnoException {
        if (guest != null) {
            guest.close();
        }
        host.close();
    }

    private void boot(DaxMode mode) throws Exception {
        PassthroughOptions large = PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Large(LARGE));
        MachineOptions options = MachineOptions.DEFAULT.withDax(mode).withClock(clock);
        guest = new DaxGuest(new DaxGuest.Share(host.files::open, share, 4, large), options, Machine::stepped);
    }

    /// On the host; what the guest believes is out of date then.
    private void resize(long size) throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(share.resolve("f").toFile(), "rw")) {
            file.setLength(size);
        }
        clock.pass(Duration.ofSeconds(2));
    }

    private interface Deed {
        void go() throws ErrnoException;
    }

    /// What was asked about data, mappings and forgetting.
    private List<String> asked(Deed deed) throws ErrnoException {
        guest.asked.clear();
        deed.go();
        return guest.asked.stream()
                .filter(request -> request instanceof DaxRequest
                        || request instanceof FileRequest.Read
                        || request instanceof InodeRequest.Forget)
                .map(request -> request.opcode().name())
                .toList();
    }

    private void readOnce() throws ErrnoException {
        readOnce(guest.program);
    }

    private static void readOnce(GuestProcess program) throws ErrnoException {
        int fd = program.open("/f", Fcntl.O_RDONLY);
        program.pread(fd, 10, 0);
        program.close(fd);
    }

    /// Seen on Linux 6.1 and 6.12, `fuse_dax_dontcache`: whoever has it open goes on as before;
    /// with the last one the file is forgotten, and the next finds it the other way.
    ///
    /// Seen to catch: InodeCache.mayStay always true; BelievedAttributes.refresh that does not
    /// compare.
    @Test
    void theOtherWayIsTakenWhenTheLastUserIsGone() throws Exception {
        boot(DaxMode.INODE);
        int fd = guest.program.open("/f", Fcntl.O_RDONLY);
        assertEquals(List.of("SETUPMAPPING"), asked(() -> guest.program.pread(fd, 10, 0)));

        resize(LARGE / 2);
        assertEquals(List.of(), asked(() -> guest.program.stat("/f")), "it is in use");
        assertEquals(List.of(), asked(() -> guest.program.pread(fd, 10, 0)));
        assertEquals(List.of("REMOVEMAPPING", "FORGET"), asked(() -> guest.program.close(fd)));
        assertEquals(List.of("READ"), asked(this::readOnce));

        resize(LARGE);
        assertEquals(List.of("FORGET"), asked(() -> guest.program.stat("/f")));
        assertEquals(List.of("SETUPMAPPING"), asked(this::readOnce));
    }

    /// A guest that decides by itself does not listen.
    @ParameterizedTest
    @CsvSource({"ALWAYS, ''", "NEVER, READ"})
    void whoDoesNotAskDoesNotMind(DaxMode mode, String way) throws Exception {
        boot(mode);
        readOnce();
        resize(LARGE / 2);

        assertEquals(List.of(), asked(() -> guest.program.stat("/f")));
        assertEquals(way, String.join(" ", asked(this::readOnce)));
    }

    /// A guest without a window, whose server names files for it all the same. The mount option
    /// decides: with `always` the server is not even asked; with `inode` the file is read as any
    /// other, and forgotten when it can be, each time anew; with `never` nobody minds.
    ///
    /// So it is in Linux since 5.17 (`fuse_dax_dontcache` compares what the server says with what
    /// is done, whether there is a window or not).
    ///
    /// Seen to catch: DaxMount.path without a window that is always NONE; InodeCache.begin without
    /// useWindow set by what is done; LinuxKernel.mount that sends INIT first.
    @ParameterizedTest
    @CsvSource({"ALWAYS, no mount, ''", "INODE, READ, FORGET READ", "NEVER, READ, READ"})
    void withoutAWindowTheServerNamesFilesInVain(DaxMode mode, String first, String later) throws Exception {
        Window elsewhere = new Window(SYS, 4 * DaxGuest.RANGE, SYS::dup);
        elsewhere.use(new ObedientMapper());
        PassthroughOptions large = PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Large(LARGE));
        List<String> asked = new ArrayList<>();
        try (PassthroughFs files = new PassthroughFs(SYS, share.toString(), large, elsewhere)) {
            FileSystem server = request -> {
                asked.add(request.opcode().name());
                return files.answer(request);
            };
            MachineOptions options = MachineOptions.DEFAULT.withDax(mode).withClock(clock);
            Machine machine;
            try {
                machine = Machine.stepped(server, options);
            } catch (ErrnoException e) {
                assertEquals(first, "no mount");
                assertEquals(Errno.EINVAL, e.errno());
                assertEquals(List.of(), asked);
                return;
            }
            GuestProcess program = machine.rootProgram();
            assertEquals(first, dataAndForget(asked, () -> readOnce(program)));
            clock.pass(Duration.ofSeconds(2));
            assertEquals(later, dataAndForget(asked, () -> {
                program.stat("/f");
                readOnce(program);
            }));
            machine.close();
        }
    }

    private static String dataAndForget(List<String> asked, Deed deed) throws ErrnoException {
        asked.clear();
        deed.go();
        asked.retainAll(List.of("READ", "FORGET", "SETUPMAPPING"));
        return String.join(" ", asked);
    }
}
