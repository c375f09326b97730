package vitrine.guest.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.guest.qemu.AsItIs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.GuestStreams;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.HardwareOptions;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;
import vitrine.guest.qemu.ShellWords;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.FileProblem;

/// `vitrine qemu`: a command in a real Linux guest, on a share that a virtiofsd serves.
@Command(
        name = "qemu",
        exitCodeOnExecutionException = 125,
        sortOptions = false,
        description = {
            "Boots a real Linux guest in QEMU, mounts a folder in it over virtio-fs, and runs COMMAND there.",
            "",
            "COMMAND of one word is a line of shell: ./vitrine qemu -- 'ls | wc -l'. Several words are a program"
                    + " and its arguments, passed exactly. Its working folder is the share.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ./vitrine qemu -- uname -r",
            "  ./vitrine qemu --dir src --daemon rust -- 'ls | wc -l'",
            "  ./vitrine qemu --kernel 6.12 --setup-newer -- uname -r  (fetches 70 MB)",
            "  ./vitrine qemu --newer --kernel newest -- uname -r",
            "  ./vitrine qemu --newer --dax always -- 'echo hello > f; cat f'"
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0..255:that of COMMAND", "125:the guest could not boot, mount or end, and why is said"})
public final class QemuCommand implements Callable<Integer> {

    private static final int GUEST_FAILED = 125; // as env(1) and docker(1) have it

    @Option(names = "--dir", paramLabel = "DIR", description = "folder to share (default: an empty one, removed later)")
    private Path directory;

    @Option(
            names = "--daemon",
            paramLabel = "WHICH",
            defaultValue = "ours",
            description = "ours; c or rust for the virtiofsds of others; or a command line with {socket} and {dir}"
                    + " in it (default: ${DEFAULT-VALUE})")
    private String daemon;

    @Option(
            names = "--daemon-options",
            paramLabel = "\"...\"",
            preprocessor = AsItIs.class,
            description = "more options for the daemon")
    private String daemonOptions = "";

    @Mixin
    private HardwareOptions hardware;

    @ArgGroup(exclusive = false)
    private SetupNewer setup;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "512M",
            description = "of the guest (default: ${DEFAULT-VALUE})")
    private String memory;

    @Option(
            names = "--cpus",
            paramLabel = "N",
            defaultValue = "1",
            description = "of the guest (default: ${DEFAULT-VALUE})")
    private int cpus;

    @Option(
            names = "--boot",
            paramLabel = "\"...\"",
            defaultValue = "",
            description = "more parameters for the guest's kernel, as 'security=selinux selinux=1'")
    private String boot;

    @Option(
            names = "--queue-size",
            paramLabel = "N",
            defaultValue = "" + Share.Queues.LARGEST,
            description = "descriptors in a virtqueue (default: ${DEFAULT-VALUE})")
    private int queueSize;

    @Option(
            names = "--queues",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "for requests; Linux 6.12 and newer uses one for each of its processors; ours is told, another"
                            + " daemon must have as many (default: ${DEFAULT-VALUE})")
    private int queues;

    @Option(
            names = "--packed",
            description = "packed virtqueues instead of split ones; neither of the other daemons knows them")
    private boolean packed;

    @Option(
            names = "--tag",
            paramLabel = "T",
            defaultValue = Share.DEFAULT_TAG,
            description = "name of the share (default: ${DEFAULT-VALUE})")
    private String tag;

    @Option(names = "--mount-options", paramLabel = "O", defaultValue = "", description = "for mount -o in the guest")
    private String mountOptions;

    @Option(
            names = "--dax",
            paramLabel = "MODE",
            description = "mount with a DAX window: always, or inode for the files that the daemon chooses. Takes"
                    + " QEMU 11 (--newer, --qemu), and our daemon, which chooses all (--daemon-options='-o dax=...')")
    private String dax;

    @Option(
            names = "--with",
            paramLabel = "FILE",
            description = "a program or file of this machine that the guest gets too, with its libraries;"
                    + " may be repeated")
    private List<String> with = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "longest time for all of it (default: ${DEFAULT-VALUE})")
    private int timeout;

    @Option(
            names = {"-i", "--interactive"},
            description = "give our standard input to COMMAND")
    private boolean interactive;

    @Option(names = "--console", description = "show the guest's console and the daemon's output, on standard error")
    private boolean console;

    @Option(
            names = {"-q", "--quiet"},
            description = "no lines about what is going on")
    private boolean quiet;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    private boolean help;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "what to run in the guest")
    private List<String> command = List.of();

    @Spec
    private CommandSpec spec;

    // Straight to the descriptors: a command's output is bytes, and not to be decoded.
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final PrintStream err =
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

    /// Runs the guest; the result is the exit status of the program.
    @Override
    public Integer call() throws IOException, InterruptedException {
        if (setup == null && command.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Missing required parameter: 'COMMAND'");
        }
        require(cpus > 0, "--cpus: 1 or more");
        require(queues > 0, "--queues: 1 or more");
        require(timeout > 0, "--timeout: 1 or more");
        try (TemporaryFolder empty = TemporaryFolder.named("vitrine-share-")) {
            if (setup != null) {
                setup.run(err);
            }
            return command.isEmpty() ? 0 : run(directory == null ? empty.path() : directory);
        } catch (GuestFailedException failed) {
            err.println("vitrine qemu: " + failed.getMessage());
            return GUEST_FAILED;
        }
    }

    private int run(Path folder) throws GuestFailedException, IOException, InterruptedException {
        FileProblem.requireFolder("--dir=", folder);
        if (packed && List.of("c", "rust").contains(daemon)) {
            throw new ParameterException(spec.commandLine(), "--packed: the other daemons have split virtqueues only");
        }
        Hardware machine = hardware.small(Duration.ofSeconds(timeout))
                .withMemory(memory)
                .onCpus(cpus)
                .booting(boot)
                .with(with.toArray(String[]::new));
        Share share = new Share(folder, tag, mountOptions, new Share.Queues(queueSize, queues, packed), false);
        String options = (daemon.equals("ours") ? "--num-request-queues=" + queues + " " : "") + daemonOptions;
        if (dax != null) {
            share = share.withDax(mode());
            options = "--dax=always --tag=" + ShellWords.quote(tag) + " " + options; // a later --dax wins
        }
        DaemonProgram program = DaemonProgram.of(daemon, options);
        String line = command.size() == 1 ? command.getFirst() : ShellWords.quote(command);
        Result result = new QemuGuest(machine, share, program).run(line, streams());
        say(String.format(
                "exit %d, %.1f s in all%s",
                result.exitCode(),
                result.duration().toMillis() / 1e3,
                switch (result.daemonStatus()) {
                    case 0 -> "";
                    case -1 -> "; the daemon stayed on and had to be ended";
                    default -> "; the daemon ended with status " + result.daemonStatus();
                }));
        return result.exitCode();
    }

    private GuestStreams streams() {
        return new GuestStreams(
                interactive ? System.in : InputStream.nullInputStream(),
                out,
                err,
                line -> {
                    if (console) {
                        err.println(line);
                    }
                },
                this::say);
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private String mode() {
        if (!List.of("always", "inode").contains(dax)) {
            throw new ParameterException(spec.commandLine(), "--dax " + dax + ": always or inode");
        }
        return dax;
    }

    private void say(String line) {
        if (!quiet) {
            err.println(Ansi.AUTO.string("@|faint  ∙ " + line.replace("|@", "| @") + "|@"));
        }
    }
}
