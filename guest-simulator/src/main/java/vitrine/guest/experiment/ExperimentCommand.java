package vitrine.guest.experiment;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.guest.KernelOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.HardwareOptions;
import vitrine.posix.FileProblem;

/// `vitrine experiment`: what others have reported, seen again.
@Command(
        name = "experiment",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Does an experiment that somebody has reported: before and after side by side, in turns. Prints what was"
                    + " reported, what a model says of such a machine, and what was measured here, with the requests"
                    + " and the host's system calls of one operation.",
            "",
            "  killpriv   random writes with --xattr, FUSE_HANDLE_KILLPRIV_V2 off and on",
            "  matrix     the same for each option, user, kernel and server: who pays, and by which rule",
            "  append     5 bytes at the end: without DAX, as DAX prototypes did it, and with DAX today",
            "  lookup     LOOKUP with DAX file by file: the flag not asked for, asked each time, cached",
            "  gather     1 MiB writes, copied together or gathered",
            "  all        all of them",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:as reported, in direction", "1:not so, or it failed", "2:wrong usage"},
        footer = {
            "",
            "Example: real fio, this host's kernel as the guest, QEMU's C daemon",
            "  ./vitrine experiment killpriv --guest=bridge --daemon=c --plot=killpriv.svg",
            "Example: the same in a real guest with a newer kernel",
            "  ./vitrine experiment killpriv --guest=qemu --kernel=6.12 --slice=1000",
            "Example: the same in a kernel that sends a large direct write in turns",
            "  ./vitrine experiment killpriv --linux=5.17 --without=async-dio --rounds=3"
        })
public final class ExperimentCommand implements Callable<Integer> {

    private static final Duration LONGEST = Duration.ofHours(2); // of a guest, with all that is measured in it

    private static final List<Experiment> ALL = List.of(
            new KillPrivExperiment(),
            new MatrixExperiment(),
            new AppendExperiment(),
            new LookupExperiment(),
            new GatherExperiment());

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "which one, or all")
    private String name;

    @Option(
            names = "--daemon",
            paramLabel = "WHICH",
            defaultValue = "",
            description = "ours as a process of its own; c for QEMU's own virtiofsd, rust for the other; or a command"
                    + " line with {socket} and {dir} in it (default: ours, in this process)")
    private String daemon;

    @Option(
            names = "--guest",
            paramLabel = "WHICH",
            defaultValue = "simulator",
            description = "simulator; bridge: this host's kernel as the guest's, and the real fio, needs root; or"
                    + " qemu: a real guest, and the real fio in it (default: ${DEFAULT-VALUE})")
    private String guest;

    @Mixin
    private HardwareOptions hardware;

    @Mixin
    private KernelOptions kernel;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "where the shares are made: what is measured is this file system of the host, too (default:"
                    + " where temporary files go; append makes a small XFS there, if it can)")
    private Path folder;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "7",
            description = "how often each is measured, the median counts; with 0 only the model speaks"
                    + " (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--slice",
            paramLabel = "MS",
            defaultValue = "400",
            description = "how long each measurement takes, in milliseconds (default: ${DEFAULT-VALUE})")
    private int slice;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text; markdown, the rows of what was measured, for a table; or json (default:"
                    + " ${DEFAULT-VALUE})")
    private String format;

    @Option(names = "--plot", paramLabel = "FILE", description = "draw a picture, too: FILE.svg or FILE.png")
    private Path plot;

    @Option(
            names = {"-q", "--quiet"},
            description = "no lines about what is going on")
    private boolean quiet;

    /// Does it; 1 if the direction is another one than was reported.
    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Experiment> chosen = ALL.stream()
                .filter(each -> name.equals("all") || each.name().equals(name))
                .toList();
        require(!chosen.isEmpty(), name + ": there is killpriv, matrix, append, lookup, gather, and all");
        check();
        KernelProfile profile = kernel.kernel();
        UnaryOperator<Setting> inKernel = setting -> kernel.isUnusual() ? setting.withKernel(profile) : setting;
        Bench bench = new Bench(where(), inKernel, rounds, Duration.ofMillis(slice), this::say);
        if (kernel.isUnusual() && format.equals("text")) {
            print(List.of(said()));
        }
        List<Experiment> done = new ArrayList<>();
        List<List<Row>> results = new ArrayList<>();
        for (Experiment experiment : chosen) {
            try {
                results.add(experiment.run(bench));
                done.add(experiment);
                print(format(experiment, results.getLast()));
            } catch (IOException e) {
                if (chosen.size() == 1) {
                    throw e;
                }
                spec.commandLine().getErr().println(experiment.name() + ": " + e.getMessage()); // the others go on
            }
        }
        if (format.equals("json")) {
            print(List.of(AsJson.of(done, results, said())));
        }
        if (plot != null) {
            List<String> titles = done.stream()
                    .map(each -> each.name() + ": " + each.title() + (kernel.isUnusual() ? "; " + said() : ""))
                    .toList();
            Plot.write(plot, titles, results);
        }
        boolean asReported = results.stream().flatMap(List::stream).allMatch(Row::holds);
        return asReported && done.size() == chosen.size() ? 0 : 1;
    }

    private void check() throws IOException {
        require(
                List.of("simulator", "bridge", "qemu").contains(guest),
                "--guest=" + guest + ": simulator, bridge or qemu");
        boolean sameTwice = !name.equals("matrix") || !guest.equals("simulator");
        require(
                !daemon.contains("{socket}") || !sameTwice,
                "--daemon: before and after are options of the daemon's here, and a command line gets none: take ours,"
                        + " c or rust");
        require(
                guest.equals("simulator") || !kernel.isUnusual(),
                "--linux, --with, --without: of the simulator's kernel; --guest=" + guest + " has a real one");
        require(
                !name.equals("lookup") || !kernel.isUnusual(),
                "--linux, --with, --without: lookup measures the daemon, and has no guest's kernel");
        require(
                List.of("text", "markdown", "json").contains(format),
                "--format=" + format + ": text, markdown or json");
        if (folder != null) {
            FileProblem.requireFolder("--dir=", folder);
        }
        require(rounds >= 0, "--rounds: 0 or more");
        require(slice >= 10, "--slice: 10 or more");
        require(
                plot == null || plot.toString().matches("(?i).*\\.(svg|png)"),
                "--plot=" + plot + ": a name that ends in .svg or .png");
    }

    private Where where() throws IOException {
        try {
            Hardware machine = guest.equals("qemu") ? hardware.small(LONGEST) : null;
            return new Where(Where.Guest.valueOf(guest.toUpperCase(Locale.ROOT)), machine, daemon, folder);
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private List<String> format(Experiment experiment, List<Row> rows) {
        return switch (format) {
            case "markdown" -> Markdown.of(experiment, rows, said());
            case "json" -> List.of(); // in the end
            default -> Table.of(experiment, rows);
        };
    }

    /// Whose kernel, and which daemon.
    private String said() {
        String in = kernel.isUnusual() ? " with " + kernel.kernel().name() : "";
        return guest + in + ", " + (daemon.isEmpty() ? "ours" : daemon);
    }

    private void print(List<String> lines) {
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        if (format.equals("text")) {
            out.println();
        }
        out.flush();
    }

    private void say(String line) {
        if (!quiet) {
            spec.commandLine().getErr().println(" ∙ " + line);
        }
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }
}
