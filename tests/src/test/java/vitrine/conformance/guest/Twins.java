package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import vitrine.fuse.FileSystem;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.process.GuestProcess;
import vitrine.migration.MigrationOptions;
import vitrine.passthrough.PassthroughFs;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// Two directories that go through the same history: one as a guest's share, one on the host.
final class Twins implements AutoCloseable {

    static final int ROOT = 0;
    static final int USER = 1;
    static final int USER_ID = 1000;
    static final int GROUP = 2000; // a supplementary group of the user's
    static final int SLOTS = 3;

    static final Syscalls SYS = new Syscalls(Libc.load());

    private static final MigrationOptions BY_HANDLE =
            new MigrationOptions(MigrationOptions.Mode.FILE_HANDLES, MigrationOptions.OnError.ABORT, false, false);

    private final Boot boot;
    private final Path directory;
    private final Path shared;
    private final Path twin;
    private final HostRoot host;

    private Axes axes;
    private PassthroughFs fileSystem;
    private final List<PassthroughFs> before = new ArrayList<>(); // that it had, the last one first
    private Machine machine;
    private List<Program> onHost;
    private List<Program> inGuest;

    /// How the daemon is reached.
    interface Boot {
        Machine machine(FileSystem fileSystem, MachineOptions options) throws ErrnoException, FrontendException;
    }

    Twins(Boot boot) throws Exception {
        this.boot = boot;
        directory = Files.createTempDirectory("twins");
        shared = Files.createDirectories(directory.resolve("shared"));
        twin = Files.createDirectories(directory.resolve("twin"));
        host = new HostRoot(SYS, twin);
    }

    /// Builds the machine: the first thing that happens in a history.
    void start(Axes chosen) {
        axes = chosen;
        try {
            fileSystem = new PassthroughFs(SYS, shared.toString(), axes.daemon().withMigration(BY_HANDLE));
            machine = boot.machine(fileSystem, axes.machine());
        } catch (ErrnoException | FrontendException e) {
            throw new IllegalStateException("no machine", e);
        }
        onHost = List.of(
                new HostProgram(host, new HostRoot.Who(0, 0), SLOTS),
                new HostProgram(host, new HostRoot.Who(USER_ID, USER_ID, GROUP), SLOTS));
        GuestProcess user = machine.userProgram(USER_ID, USER_ID, GROUP);
        inGuest = List.of(new GuestProgram(machine.rootProgram(), SLOTS), new GuestProgram(user, SLOTS));
        stage();
    }

    /// Moves the guest to another daemon of the same directory. The one before goes on holding what
    /// it held, as it does until QEMU has ended.
    void move() {
        try {
            before.addFirst(fileSystem);
            fileSystem = new PassthroughFs(SYS, shared.toString(), axes.daemon().withMigration(BY_HANDLE));
            machine.moveTo(fileSystem);
        } catch (ErrnoException | FrontendException e) {
            throw new IllegalStateException("the guest stays", e);
        }
    }

    boolean isStarted() {
        return inGuest != null;
    }

    Axes axes() {
        return axes;
    }

    /// A few directories and files to begin with, in which a user can do something.
    private void stage() {
        take(Call.silent(ROOT, "chmod / 777", program -> program.chmod("/", 0777)));
        for (String name : List.of("d", "e")) {
            take(Call.silent(ROOT, "mkdir " + name, program -> program.mkdir(name, 0777)));
            take(Call.silent(ROOT, "chown " + name, program -> program.chown(name, 0, GROUP, true)));
        }
        take(Call.silent(ROOT, "chmod d 777", program -> program.chmod("d", 0777)));
        take(Call.silent(ROOT, "chmod e 2775", program -> program.chmod("e", 02775)));
        for (int who : List.of(ROOT, USER)) {
            String file = who == ROOT ? "d/a" : "e/b";
            take(Call.silent(who, "create " + file, program -> program.open(0, file, 0102, 0666)));
            take(Call.of(who, "write " + file, program -> program.write(0, new byte[5000])));
            take(Call.silent(who, "chmod " + file, program -> program.chmod(file, 06777)));
        }
    }

    /// Makes a call on both sides, which must come out the same.
    void take(Call call) {
        String expected = call.outcome(onHost.get(call.who()));

        String result = call.outcome(inGuest.get(call.who()));

        assertEquals(expected, result, call.toString());
    }

    /// Requires that both directories look the same, seen from the host.
    void requireSameTree() throws Exception {
        machine.rootProgram().sync();
        assertEquals(Tree.of(SYS, twin), Tree.of(SYS, shared));
    }

    @Override
    public void close() throws IOException, ErrnoException {
        try (PassthroughFs _ = fileSystem;
                Machine _ = machine;
                host) {
            // in reverse, whatever of it was there
        } finally {
            before.forEach(PassthroughFs::close);
            try (Stream<Path> paths = Files.walk(directory)) {
                for (Path path : paths.toList().reversed()) {
                    Files.delete(path);
                }
            }
        }
    }
}
