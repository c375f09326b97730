package vitrine.daemon;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import vitrine.posix.ErrnoException;
import vitrine.wire.MalformedException;

/// `vitrine daemon`: from the command line to an exit code.
///
/// | exit code | means |
/// |---|---|
/// | 0 | the front end has left, or SIGTERM asked us to end |
/// | 1 | it could not start, or the front end does not speak vhost-user |
/// | 2 | the command line is wrong |
@Command(
        name = "vitrine daemon",
        mixinStandardHelpOptions = true,
        version = "vitrine 0.1.0",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Serves a directory to a virtual machine, as a vhost-user back end of virtio-fs.",
        footer = {
            "",
            "The older spelling is understood too: -o source=DIR,cache=MODE,xattr,…",
            "",
            "Example, and the QEMU options that go with it:",
            "  vitrine daemon --socket-path=/tmp/share.sock --shared-dir=/srv/share",
            "  qemu-system-x86_64 … -object memory-backend-memfd,id=mem,size=1G,share=on \\",
            "    -numa node,memdev=mem -chardev socket,id=share,path=/tmp/share.sock \\",
            "    -device vhost-user-fs-pci,chardev=share,tag=share",
            "and in the guest:  mount -t virtiofs share /mnt"
        })
public final class Main {

    private static final System.Logger LOG = System.getLogger("vitrine.daemon");

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    /// What management tools ask for (vhost-user: "Backend program conventions").
    private static final String CAPABILITIES = "{\"type\": \"fs\", \"features\": [\"separate-options\"]}";

    @Mixin
    private final DaemonOptions options = new DaemonOptions();

    private Main() {}

    /// Runs the daemon and ends the process with its exit code.
    public static void main(String... arguments) {
        System.exit(new Main().run(arguments));
    }

    private int run(String... arguments) {
        CommandLine commandLine = new CommandLine(this);
        try {
            List<String> expanded = OptionList.expand(arguments);
            commandLine.parseArgs(expanded.toArray(String[]::new));
            if (commandLine.isUsageHelpRequested()) {
                commandLine.usage(System.out);
                return 0;
            }
            if (commandLine.isVersionHelpRequested()) {
                commandLine.printVersionHelp(System.out);
                return 0;
            }
            if (options.printCapabilities) {
                System.out.println(CAPABILITIES);
                return 0;
            }
            if (options.warmUp) {
                return WarmUp.run();
            }
            options.check();
            StandardErrorLog.setLevel(options.logLevel);
        } catch (CommandLine.ParameterException | IllegalArgumentException e) {
            say(System.err, e.getMessage());
            say(System.err, "see --help");
            return WRONG_USAGE;
        }
        return serve();
    }

    private int serve() {
        AtomicReference<Daemon> daemon = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean(); // by itself, not by a signal
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(daemon.get(), over)));
        int exitCode;
        try {
            daemon.set(new Daemon(options));
            daemon.get().run();
            exitCode = 0;
        } catch (ErrnoException | MalformedException | IOException e) {
            LOG.log(System.Logger.Level.ERROR, e.getMessage());
            exitCode = FAILED;
        }
        over.set(true);
        return exitCode;
    }

    /// The last thing that happens in the process, however it ends. A signal's exit code would be 143,
    /// but to end when asked to is no failure.
    ///
    /// @param daemon null if the signal came before there was one
    private static void end(Daemon daemon, AtomicBoolean over) {
        int exitCode = 0;
        try {
            if (daemon != null) {
                daemon.close();
            }
        } catch (IOException e) {
            say(System.err, e.getMessage());
            exitCode = FAILED;
        }
        if (!over.get() || exitCode != 0) {
            Runtime.getRuntime().halt(exitCode);
        }
    }

    private static void say(PrintStream where, String message) {
        where.println("vitrine daemon: " + message);
    }
}
