package vitrine.guest.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.guest.MachineOptions;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.guest.workload.SimulatedGuest;
import vitrine.guest.workload.fio.FioSlice;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Five bytes more at the end of a file, again and again: by a WRITE, or as a client with DAX did
/// it in a prototype, which first made the file longer and then stored the bytes in the window.
final class AppendExperiment implements Experiment {

    private static final byte[] BYTES = {'f', 'i', 'v', 'e', '\n'};

    /// What was reported for 16,384 times, in microseconds of one: 2.75 s and 12.5 s. The third was
    /// "not much" faster than the second.
    private static final List<Double> REPORTED = List.of(167.8, 762.9);

    /// 100 ms for 16,384 times, and 4 s; the source says 100 µs for the first, which cannot be.
    private static final List<Double> IN_SERVER = List.of(6.1, 244.0);

    private static final Predicate<FuseRequest> APPENDS = request -> request instanceof FileRequest.Write
            || request instanceof FileRequest.Fallocate
            || request instanceof InodeRequest.Setattr;

    /// A way to append.
    ///
    /// @param call the guest's system call that the requests are seen at
    private record Way(String name, String call, Step step) {}

    private interface Step {
        void append(GuestProcess program, int fd, long end) throws ErrnoException;
    }

    private static final List<Way> WAYS = List.of(
            new Way("WRITE", "pwrite", (program, fd, end) -> program.pwrite(fd, BYTES, end)),
            new Way("FALLOCATE", "fallocate", (program, fd, end) -> program.fallocate(fd, 0, end, BYTES.length)),
            new Way("truncate", "ftruncate", (program, fd, end) -> program.ftruncate(fd, end + BYTES.length)));

    @Override
    public String name() {
        return "append";
    }

    @Override
    public String title() {
        return "5 bytes at the end of a file: WRITE, and making it longer first as DAX prototypes did";
    }

    @Override
    public List<Row> run(Bench bench) throws IOException, InterruptedException {
        bench.requireSimulator(name(), "each way is a system call of its own there");
        List<Setting> settings = new ArrayList<>();
        List<Counted> counted = new ArrayList<>();
        for (Way way : WAYS) {
            settings.add(Setting.killpriv(way.name, true));
            counted.add(Counted.in(settings.getLast(), 0, script(way)));
        }
        List<String> names = settings.stream().map(Setting::name).toList();
        List<Row.Counts> counts = counted.stream().map(Counted::counts).toList();
        Row whole = new Row(
                "an append",
                names,
                Row.Unit.MICROS,
                REPORTED,
                new Prediction(name(), 1, 1).micros(counted, REPORTED.getFirst()),
                bench.measure("append", settings, AppendExperiment::work),
                counts,
                List.of(),
                List.of());
        Row inServer = new Row(
                "an append in the server",
                names,
                Row.Unit.MICROS,
                IN_SERVER,
                List.of(), // it is what the table of costs was made from
                bench.measureInServer("append, in the server", settings, AppendExperiment::work, APPENDS),
                counts,
                List.of(new Row.Claim(1, 0), new Row.Claim(2, 0)),
                states());
        return List.of(whole, inServer);
    }

    private static Counted.Script script(Way way) {
        return new Counted.Script(way.call, program -> {
            int fd = program.open("/" + FioSlice.FILE, Fcntl.O_RDWR | Fcntl.O_CREAT, 0600);
            return time -> way.step.append(program, fd, (long) time * BYTES.length);
        });
    }

    /// Appends for so long; the microseconds of one.
    private static double work(Setting setting, SimulatedGuest guest, Duration time) throws IOException {
        Way way = WAYS.stream()
                .filter(each -> each.name.equals(setting.name()))
                .findFirst()
                .orElseThrow();
        GuestProcess program = guest.machine().rootProgram();
        try {
            int fd = program.open("/appended", Fcntl.O_RDWR | Fcntl.O_CREAT | Fcntl.O_TRUNC, 0600);
            long start = System.nanoTime();
            long passed = 0;
            int count = 0;
            for (; passed < time.toNanos(); passed = System.nanoTime() - start) {
                way.step.append(program, fd, (long) count++ * BYTES.length);
            }
            program.close(fd);
            return passed / 1e3 / count;
        } catch (ErrnoException e) {
            throw new IOException(way.name + ": " + e.getMessage(), e);
        }
    }

    /// What is on the host after each event: what a crash of the guest would leave.
    private static List<String> states() throws IOException {
        List<String> lines = new ArrayList<>();
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-append-")) {
            Path share = Files.createDirectory(folder.path().resolve("share"));
            Path file = share.resolve(FioSlice.FILE);
            for (Way way : WAYS) {
                Files.deleteIfExists(file);
                try (SimulatedGuest guest =
                        SimulatedGuest.inProcess(share, PassthroughOptions.DEFAULT, MachineOptions.DEFAULT)) {
                    GuestProcess program = guest.machine().rootProgram();
                    int fd = program.open("/" + FioSlice.FILE, Fcntl.O_RDWR | Fcntl.O_CREAT, 0600);
                    way.step.append(program, fd, 0);
                    lines.add("a crash after " + way.name + " leaves " + shown(file));
                    if (!way.call.equals("pwrite")) {
                        program.pwrite(fd, BYTES, 0);
                        lines.add("  and after the store " + shown(file));
                    }
                }
            }
            return lines;
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static String shown(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        boolean whole = Arrays.equals(bytes, BYTES);
        return bytes.length + " bytes, " + HexFormat.ofDelimiter(" ").formatHex(bytes)
                + (whole ? ": all of it" : ": longer, and zeros");
    }
}
