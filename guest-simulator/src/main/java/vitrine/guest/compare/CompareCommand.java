package vitrine.guest.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.NamePattern;
import vitrine.guest.qemu.ShellWords;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.FileProblem;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// `vitrine compare`: what a request costs, with our daemon and with others.
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures what a request costs a daemon, and compares daemons: each gets the same requests of the same"
                    + " simulated guest, in turns. For each it prints, as the median of all rounds, the processor"
                    + " time of the daemon's process, the time until the guest had its answer, and both as multiples"
                    + " of the first daemon's.",
            "",
            "Let the machine be idle, with at least two processors. Two daemons take three minutes.",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:the table is complete", "1:a daemon failed; standard error says how", "2:wrong usage"},
        footer = {
            "",
            "Example: the small requests, three daemons",
            "  ./vitrine compare --only 'depth 1$' --daemon c --daemon rust --daemon ours"
        })
public final class CompareCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--daemon",
            paramLabel = "WHICH",
            description = "ours; c for QEMU's own virtiofsd, rust for the other; or a command line with {socket} and"
                    + " {dir} in it; to be repeated (default: c, then ours)")
    private List<String> daemons = List.of("c", "ours");

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "9",
            description = "how often each row is measured (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--only",
            converter = NamePattern.class,
            paramLabel = "REGEX",
            defaultValue = "",
            description = "only rows with this in their name, in lower or upper case")
    private Pattern only;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "a folder for the files that are read and written (default: where temporary files go)")
    private Path directory;

    @Option(
            names = "--details",
            description = "for each request, also how often the daemon slept, was woken, and woke the guest")
    private boolean details;

    @Option(
            names = {"-q", "--quiet"},
            description = "no lines about what is going on")
    private boolean quiet;

    /// Compares, and prints each row when it is done.
    @Override
    public Integer call() throws GuestFailedException, IOException, InterruptedException {
        List<Load> loads = Load.all().stream()
                .filter(load -> only.matcher(load.name()).find())
                .toList();
        daemons.forEach(daemon -> require(DaemonProgram.isChoice(daemon), DaemonProgram.unknown(daemon)));
        require(rounds > 0, "--rounds: at least 1");
        require(
                !loads.isEmpty(),
                "--only=" + only + ": there is no such row; there are\n  "
                        + String.join(
                                "\n  ", Load.all().stream().map(Load::name).toList()));
        if (directory != null) {
            FileProblem.requireFolder("--dir=", directory);
        }
        try (TemporaryFolder folder = directory == null
                ? TemporaryFolder.named("vitrine-compare-")
                : TemporaryFolder.in(directory, "vitrine-compare-")) {
            Path share = Files.createDirectory(folder.path().resolve("share"));
            ShareOfFiles.fill(share);
            List<Contender> contenders = new ArrayList<>();
            try {
                for (String daemon : daemons) {
                    contenders.add(start(daemon, folder.path().resolve("socket-" + contenders.size()), share));
                }
                compare(contenders, loads);
            } finally {
                contenders.forEach(Contender::close);
            }
        }
        return 0;
    }

    private Contender start(String daemon, Path socket, Path share)
            throws GuestFailedException, IOException, InterruptedException {
        say("starting " + daemon);
        Syscalls sys = new Syscalls(Libc.load());
        return Contender.start(sys, DaemonProgram.of(daemon, ""), shortName(daemon), socket, share);
    }

    private void compare(List<Contender> contenders, List<Load> loads)
            throws GuestFailedException, IOException, InterruptedException {
        Comparison comparison = new Comparison(contenders, rounds);
        comparison.warmUp(loads, this::say);
        ComparisonTable table =
                new ComparisonTable(contenders.stream().map(Contender::name).toList(), details);
        PrintWriter out = spec.commandLine().getOut();
        out.println(table.head());
        out.flush();
        comparison.run(loads, this::say, (load, samples) -> {
            out.println(table.row(load.name(), samples));
            out.flush();
        });
    }

    private static String shortName(String daemon) {
        return Path.of(ShellWords.split(daemon).getFirst()).getFileName().toString();
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new CommandLine.ParameterException(spec.commandLine(), otherwise);
        }
    }

    private void say(String line) {
        if (!quiet) {
            spec.commandLine().getErr().println(" ∙ " + line);
        }
    }
}
