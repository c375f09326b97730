package vitrine.guest.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.guest.workload.SimulatedGuest;
import vitrine.passthrough.PassthroughFs;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// Five bytes more at the end of a file, again and again: without DAX, with a DAX client of a
/// prototype, which first made the file longer and then stored the bytes in the window, and with
/// today's.
final class AppendExperiment implements Experiment {

    private static final byte[] BYTES = {'f', 'i', 'v', 'e', '\n'};
    private static final String FILE = "appended";
    private static final String ON_XFS = "on XFS";

    /// What was reported for 16,384 times, in microseconds of one: 2.75 s and 12.5 s. The third was
    /// "not much" faster than the second.
    private static final List<Double> REPORTED = List.of(Reported.APPEND.after(), Reported.APPEND.before());

    /// 100 ms for 16,384 times, and 4 s; the source says 100 µs for the first, which cannot be.
    private static final List<Double> IN_SERVER = List.of(6.1, 244.0);

    private static final Predicate<FuseRequest> APPENDS = request -> request instanceof FileRequest.Write
            || request instanceof FileRequest.Fallocate
            || request instanceof InodeRequest.Setattr;

    @Override
    public String name() {
        return "append";
    }

    @Override
    public String title() {
        return "5 bytes at the end of a file: no DAX, longer first as DAX prototypes did, DAX today";
    }

    @Override
    public List<Row> run(Bench bench) throws IOException, InterruptedException {
        bench.where().requireOurs(name(), "the window is in this process");
        try (WindowFiles files = WindowFiles.serve()) {
            List<Setting> settings = bench.withKernel(
                    Setting.killpriv("no DAX", true),
                    Setting.killpriv("FALLOCATE", true).withDax(files, ExtendingWrite.FALLOCATE_FIRST),
                    Setting.killpriv("truncate", true).withDax(files, ExtendingWrite.TRUNCATE_FIRST),
                    Setting.killpriv("DAX today", true).withDax(files, ExtendingWrite.WRITE));
            if (bench.rounds() == 0 || bench.where().folder() != null) {
                return rows(bench, settings);
            }
            try (SmallXfs xfs = SmallXfs.mount()) {
                List<Row> rows = new ArrayList<>(rows(bench.in(xfs.path()), settings));
                rows.addAll(measuredOnly(bench, settings));
                return rows;
            } catch (NoXfsException e) {
                bench.progress().accept("not on XFS, where FALLOCATE is dear: " + e.getMessage());
                return rows(bench, settings);
            }
        }
    }

    /// What is the same with files as the host has them usually.
    private static List<Row> measuredOnly(Bench bench, List<Setting> settings)
            throws IOException, InterruptedException {
        List<String> names = settings.stream().map(Setting::name).toList();
        String on = ", on " + bench.where().fileSystem();
        return List.of(
                Row.measured("an append" + on, names, bench.measure("append" + on, settings, AppendExperiment::work)),
                Row.measured(
                        "an append in the server" + on,
                        names,
                        bench.measureInServer("append in the server" + on, settings, AppendExperiment::work, APPENDS)));
    }

    private List<Row> rows(Bench bench, List<Setting> settings) throws IOException, InterruptedException {
        List<Counted> counted = new ArrayList<>();
        for (Setting setting : settings) {
            counted.add(Counted.in(setting, 0, script()));
        }
        List<String> names = settings.stream().map(Setting::name).toList();
        List<Row.Counts> counts = counted.stream().map(Counted::counts).toList();
        boolean onXfs = bench.where().fileSystem().equals("xfs");
        Row whole = new Row(
                "an append",
                names,
                Row.Unit.MICROS,
                REPORTED,
                new Prediction(name(), 1, 1).micros(counted, REPORTED.getFirst()),
                bench.measure("append", settings, AppendExperiment::work),
                counts,
                onXfs ? List.of(new Row.Claim(1, 0), new Row.Claim(2, 0)) : List.of(),
                bench.rounds() == 0 ? List.of() : List.of(onXfs ? ON_XFS : "not on XFS: the server's row decides"));
        List<String> notes = new ArrayList<>(onXfs ? List.of(ON_XFS) : List.of());
        notes.addAll(states(settings));
        Row inServer = new Row(
                "an append in the server",
                names,
                Row.Unit.MICROS,
                IN_SERVER,
                new Prediction("append in the server", 1, 1).hostMicros(counted, IN_SERVER.getFirst()),
                bench.measureInServer("append, in the server", settings, AppendExperiment::work, APPENDS),
                counts,
                List.of(new Row.Claim(1, 0), new Row.Claim(2, 0)),
                notes);
        return List.of(whole, inServer);
    }

    private static Counted.Script script() {
        return new Counted.Script("pwrite", program -> {
            int fd = program.open("/" + FILE, Fcntl.O_RDWR | Fcntl.O_CREAT, 0600);
            return time -> program.pwrite(fd, BYTES, (long) time * BYTES.length);
        });
    }

    /// Appends for so long; the microseconds of one.
    private static double work(Setting setting, SimulatedGuest guest, Duration time) throws IOException {
        GuestProcess program = guest.machine().ownProgram();
        try {
            int fd = program.open("/" + FILE, Fcntl.O_RDWR | Fcntl.O_CREAT | Fcntl.O_TRUNC, 0600);
            long start = System.nanoTime();
            long passed = 0;
            int count = 0;
            for (; passed < time.toNanos(); passed = System.nanoTime() - start) {
                program.pwrite(fd, BYTES, (long) count++ * BYTES.length);
            }
            program.close(fd);
            return passed / 1e3 / count;
        } catch (ErrnoException e) {
            throw new IOException(setting.name() + ": " + e.getMessage(), e);
        }
    }

    /// What is on the host after each event of one append: what a crash of the guest would leave.
    private static List<String> states(List<Setting> settings) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Setting setting : settings) {
            try (TemporaryFolder folder = TemporaryFolder.named("vitrine-append-")) {
                Path file = folder.path().resolve(FILE);
                Files.createFile(file);
                MachineOptions options = setting.machine();
                Syscalls sys = new Syscalls(Libc.load());
                try (PassthroughFs real = new PassthroughFs(
                                sys,
                                folder.path().toString(),
                                setting.daemon(),
                                options.dax().window());
                        Machine machine = Machine.stepped(looking(real, setting.name(), file, lines), options)) {
                    GuestProcess program = machine.ownProgram();
                    program.pwrite(program.open("/" + FILE, Fcntl.O_RDWR), BYTES, 0);
                }
                lines.add(setting.name() + ": in the end, " + shown(file));
            } catch (ErrnoException e) {
                throw new IOException(setting.name() + ": " + e.getMessage(), e);
            }
        }
        return lines;
    }

    /// The same file system; after each request that changes the file it is looked at.
    private static FileSystem looking(FileSystem real, String setting, Path file, List<String> lines) {
        return request -> {
            Reply reply = real.answer(request);
            if (APPENDS.test(request)) {
                lines.add(setting + ": a crash after " + request.opcode() + " leaves " + shown(file));
            }
            return reply;
        };
    }

    private static String shown(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            return bytes.length + " bytes, " + HexFormat.ofDelimiter(" ").formatHex(bytes)
                    + (Arrays.equals(bytes, BYTES) ? ": all of it" : ": longer, and zeros");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
