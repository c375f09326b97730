package vitrine.daemon;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine;
import vitrine.posix.ErrnoException;
import vitrine.posix.FileProblem;
import vitrine.wire.MalformedException;

/// `vitrine daemon`: from the command line to an exit code.
///
/// | exit code | means |
/// |---|---|
/// | 0 | the front end has left, or SIGTERM asked us to end |
/// | 1 | it could not start, or the front end does not speak vhost-user |
/// | 2 | the command line is wrong |
public final class Main {

    private static final System.Logger LOG = System.getLogger("vitrine.daemon");

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    /// What management tools ask for (vhost-user: "Backend program conventions").
    private static final String CAPABILITIES =
            "{\"type\": \"fs\", \"features\": [\"migrate-precopy\", \"separate-options\","
                    + " \"posix-acl-negotiation-mode\", \"security-label-negotiation-mode\"]}";

    private final PrintStream out;
    private final PrintStream err;

    private Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Runs the daemon and ends the process with its exit code.
    ///
    /// The daemon has a thread of its own, for the one that has gone into the sandbox does not come
    /// back, and who ends the process may have to write outside: the JVM its cache.
    public static void main(String... arguments) throws InterruptedException, ExecutionException {
        FutureTask<Integer> daemon = new FutureTask<>(() -> run(System.out, System.err, arguments));
        Thread.ofPlatform().name("daemon").start(daemon);
        System.exit(daemon.get());
    }

    /// Runs the daemon until it is over.
    ///
    /// @param out for what is asked for: help, version, capabilities
    /// @param err for what is wrong with the command line; what is logged later goes to the log
    /// @return the exit code
    public static int run(PrintStream out, PrintStream err, String... arguments) {
        return new Main(out, err).run(arguments);
    }

    private int run(String... arguments) {
        if (List.of(arguments).contains("--print-capabilities")) {
            out.println(CAPABILITIES); // and all other arguments are ignored, right or wrong
            return 0;
        }
        CommandLine parser = CommandLineSyntax.parser();
        DaemonOptions options;
        try {
            List<String> expanded = OptionList.expand(arguments);
            options = new DaemonOptions(parser.parseArgs(expanded.toArray(String[]::new)));
            if (parser.isUsageHelpRequested()) {
                parser.usage(out);
                return 0;
            }
            if (parser.isVersionHelpRequested()) {
                parser.printVersionHelp(out);
                return 0;
            }
            options.check();
            StandardErrorLog.setLevel(options.logLevel);
            if (options.syslog) {
                StandardErrorLog.divertTo(SystemLog.open());
            }
        } catch (CommandLine.ParameterException | IllegalArgumentException e) {
            say(err, e.getMessage());
            say(err, "see --help");
            return WRONG_USAGE;
        }
        return serve(options);
    }

    private static int serve(DaemonOptions options) {
        AtomicReference<Daemon> daemon = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean(); // by itself, not by a signal
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(daemon.get(), over)));
        try {
            Confinement.enterUserNamespace(options);
            daemon.set(new Daemon(options));
            daemon.get().run();
            return 0;
        } catch (ErrnoException | MalformedException | IOException e) {
            LOG.log(System.Logger.Level.ERROR, FileProblem.of(e));
            return FAILED;
        } finally {
            over.set(true); // also if it is a mistake of ours that ends it: that is no signal
        }
    }

    /// The last thing that happens in the process, however it ends. A signal's exit code would be
    /// 143, but to end when asked to is no failure.
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
