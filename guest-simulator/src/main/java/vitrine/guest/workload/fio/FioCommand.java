package vitrine.guest.workload.fio;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import vitrine.guest.KernelOptions;
import vitrine.guest.qemu.HardwareOptions;
import vitrine.guest.workload.Picture;
import vitrine.guest.workload.SimulatedGuest;
import vitrine.guest.workload.TerminalLine;
import vitrine.guest.workload.WhichGuest;
import vitrine.posix.ErrnoException;

/// `vitrine fio`: a command line of fio's, word for word, in a simulated guest.
@Command(
        name = "fio",
        sortOptions = false,
        description = {
            "Runs a command line of fio's in a simulated guest, and prints what fio prints. All words that are not"
                    + " listed here are fio's: options with one dash or two, cut short or not. An option that is not"
                    + " done here is refused.",
            "Done are: name, filename, directory, rw (readwrite), bs, size, io_size, offset, ioengine (psync, sync,"
                    + " libaio), iodepth, direct, buffered, numjobs, runtime, time_based, loops, number_ios, rwmixread,"
                    + " rwmixwrite, fsync, fdatasync, end_fsync, fallocate, randseed, randrepeat, norandommap, thread,"
                    + " uid, gid, group_reporting, gtod_reduce, disable_lat, disable_clat, disable_slat,"
                    + " disable_bw_measurement, unlink, description; output, output-format (normal, json), eta.",
            "Processes are virtual threads; with --thread, platform threads.",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:it failed; standard error says why", "2:fio, or we, do not take these options"},
        footer = {
            "",
            "Example: random writes, 64 at once, on QEMU's virtiofsd",
            "  ./vitrine fio --daemon=c --ioengine=libaio --direct=1 --name=test \\",
            "    --filename=/mnt/virtiofs/file --bs=4k --iodepth=64 --size=64M \\",
            "    --readwrite=randwrite",
            "Example: the real fio in a real guest with Linux 6.12",
            "  ./vitrine fio --guest=qemu --kernel=6.12 --name=test --size=16M \\",
            "    --filename=/mnt/file --rw=randwrite"
        })
public final class FioCommand implements Callable<Integer> {

    /// Which fio this is like.
    static final String VERSION = "fio-3.33 (vitrine)";

    private static final Path IN_GUEST = Path.of("/mnt"); // where a real guest mounts its share

    @Spec
    private CommandSpec spec;

    @Mixin
    private WhichGuest which;

    @Mixin
    private KernelOptions kernel;

    @Option(
            names = "--mount-point",
            paramLabel = "DIR",
            description = "Where the share is mounted, for the names of files: what is below it is in the share"
                    + " (default: the folder that all files are in).")
    private Path mountPoint;

    @Option(
            names = "--guest",
            paramLabel = "WHICH",
            defaultValue = "simulator",
            description = "simulator; bridge: the share is mounted on this host, and the real fio runs there, with"
                    + " all its options; needs root; or qemu: the same in a real guest, which gets this machine's fio"
                    + " (default: ${DEFAULT-VALUE}).")
    private String guest;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "In the simulator: draw what the I/Os took and how fast they went, too: FILE.svg or FILE.png.")
    private Path plot;

    @Mixin
    private HardwareOptions hardware;

    @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
    private boolean help;

    @Unmatched
    private List<String> words = new ArrayList<>();

    /// Runs the jobs; 0 if all went well.
    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            FioCommandLine line = FioCommandLine.parse(words);
            checkPlot();
            if (kernel.isUnusual() && !guest.equals("simulator")) {
                throw Settings.wrong("guest", guest, "simulator; --linux, --with and --without are for it");
            }
            if (guest.equals("bridge")) {
                return which.mount(RealFio.of(line, mountPoint)::run);
            }
            if (guest.equals("qemu")) {
                return which.boot(hardware, RealFio.of(line, mountPoint).inGuest(IN_GUEST), "fio");
            }
            if (!guest.equals("simulator")) {
                throw Settings.wrong("guest", guest, "simulator, bridge or qemu");
            }
            List<FioJob> jobs = new ArrayList<>();
            for (var job : line.jobs()) {
                jobs.add(FioJob.of(line, job));
            }
            GuestPaths paths = GuestPaths.of(mountPoint, jobs);
            boolean json = isJson(line);
            if (line.program().containsKey("parse-only")) {
                return 0;
            }
            return which.run(kernel.kernel(), guest -> run(new Ready(line, jobs, paths, json), guest));
        } catch (FioUsageException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private void checkPlot() throws FioUsageException {
        if (plot != null && !Picture.isName(plot)) {
            throw Settings.wrong("plot", plot.toString(), "a name that ends in .svg or .png");
        }
        if (plot != null && !guest.equals("simulator")) {
            throw new FioUsageException(
                    "--plot is for the simulator; the real fio has --write_lat_log and fio2gnuplot");
        }
    }

    /// A command line that is understood.
    private record Ready(FioCommandLine line, List<FioJob> jobs, GuestPaths paths, boolean json) {}

    private static boolean isJson(FioCommandLine line) throws FioUsageException {
        String eta = line.program().getOrDefault("eta", "auto");
        if (!List.of("auto", "never", "always").contains(eta)) {
            throw Settings.wrong("eta", eta, "auto, never or always");
        }
        String format = line.program().getOrDefault("output-format", "normal");
        return switch (format) {
            case "normal" -> false;
            case "json" -> true;
            default -> throw Settings.wrong("output-format", format, "normal or json");
        };
    }

    private int run(Ready ready, SimulatedGuest guest) throws IOException, InterruptedException {
        FioRun run = new FioRun(ready.jobs);
        StringBuilder text = new StringBuilder();
        String other = kernel.isUnusual() ? kernel.kernel().name() : "";
        if (!ready.json) {
            print(text, new FioText().head(ready.jobs));
            print(text, other.isEmpty() ? List.of() : List.of("Guest kernel: " + other));
        }
        List<FioRun.Row> rows;
        String eta = ready.line.program().getOrDefault("eta", "auto");
        try (TerminalLine _ = TerminalLine.every(run::progress, eta)) {
            rows = run.on(guest.machine(), ready.paths, line -> {
                if (!ready.json) {
                    print(text, List.of(line));
                }
            });
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        }
        print(text, ready.json ? List.of(FioJson.of(ready.line, other, rows)) : new FioText().results(rows));
        write(ready.line.program().get("output"), text.toString());
        if (plot != null) {
            FioPicture.write(plot, rows, run.pace());
        }
        return rows.stream().allMatch(row -> succeeded(row)) ? 0 : 1;
    }

    private boolean succeeded(FioRun.Row row) {
        ErrnoException error = row.tally().error;
        if (error != null) {
            spec.commandLine().getErr().println("fio: " + row.job().name() + ": " + error.getMessage());
        }
        return error == null;
    }

    private static void print(StringBuilder text, List<String> lines) {
        lines.forEach(line -> text.append(line).append('\n'));
    }

    private void write(String file, String text) throws IOException {
        if (file != null) {
            Files.writeString(Path.of(file), text);
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }
}
