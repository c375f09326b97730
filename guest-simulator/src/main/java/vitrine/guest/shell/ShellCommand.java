package vitrine.guest.shell;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import vitrine.dax.Window;
import vitrine.guest.GrowthOption;
import vitrine.guest.HostedWindow;
import vitrine.guest.KernelOptions;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.guest.workload.OwnDaemon;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.FileProblem;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceClock;
import vitrine.trace.TraceList;

/// `vitrine shell`: be a program in the simulated guest.
@Command(
        name = "shell",
        mixinStandardHelpOptions = true,
        description = {
            "A shell in the simulated guest: its commands are programs there, and with 'trace on' each one"
                    + " shows the requests, descriptors, kicks and host system calls that it caused.",
            "Without options it shares an empty directory. In the guest you are who you are here, and 'su' makes you"
                    + " somebody else. Commands may also come from standard input."
        },
        footer = {
            "",
            "Example: what does it take to append five bytes?",
            "  echo 'trace on; echo hello > f; echo again >> f' | ./vitrine shell",
            "And what, through a DAX window, to read them?",
            "  echo 'echo hello > f; trace on; cat f' | ./vitrine shell --dax",
            "How does a kernel write that leaves no set-ID bits to the server?",
            "  ./vitrine shell --without=killpriv-v2 -c 'echo a > f; trace on; echo b >> f'"
        })
public final class ShellCommand implements Callable<Integer> {

    private static final long WINDOW = 32L << 20;

    @Spec
    private CommandSpec spec;

    @ArgGroup
    private Where where = new Where();

    static final class Where {
        @Option(
                names = "--shared-dir",
                paramLabel = "DIR",
                description = "Share this directory, by a daemon of our own.")
        private Path sharedDir;

        @Option(
                names = "--socket-path",
                paramLabel = "S",
                description = "Use the virtiofsd that listens here; of its system calls nothing is seen.")
        private Path socket;
    }

    @Option(
            names = "-c",
            paramLabel = "COMMANDS",
            description = "Run these, separated by ';', and end: with 1 if one of them failed.")
    private String commands;

    @Mixin
    private KernelOptions kernel;

    @Option(
            names = "--dax",
            description = "Mount with dax=always: data goes through a DAX window, where there is one. In a directory"
                    + " that is shared from here there is, if this is root on Linux 6.9 or newer.")
    private boolean dax;

    @Mixin
    private GrowthOption growth;

    private MachineOptions options;

    private final TraceList trace = new TraceList();
    private final Recorder recorder = new Recorder(trace, TraceClock.wall(), Actor.DAEMON);

    /// Runs the shell; the exit code is 1 if the machine cannot be had or a command of a script
    /// failed.
    @Override
    public Integer call() throws IOException, ErrnoException, FrontendException {
        options = MachineOptions.DEFAULT.withKernel(kernel.kernel()).withExtendingWrite(growth.of(dax));
        options = dax ? options.withDax(DaxMode.ALWAYS) : options;
        if (kernel.isChanged() || growth.isChanged()) {
            spec.commandLine().getOut().println(options.kernel().name() + growth.changes());
        }
        if (where.socket != null) {
            try (Machine machine = Machine.connect(where.socket, options, recorder)) {
                return run(machine, machine.rootProgram());
            }
        }
        if (where.sharedDir != null) {
            FileProblem.requireFolder("--shared-dir=", where.sharedDir);
            return share(where.sharedDir);
        }
        // Everybody in the guest may write to the share, and nobody on the host gets there.
        try (TemporaryFolder outer = TemporaryFolder.named("vitrine-shell-")) {
            Path empty = Files.createDirectory(outer.path().resolve("share"));
            Files.setPosixFilePermissions(empty, PosixFilePermissions.fromString("rwxrwxrwx"));
            return share(empty);
        }
    }

    private int share(Path directory) throws ErrnoException, IOException {
        return dax ? shareWithWindow(directory) : share(directory, Window.none());
    }

    private int shareWithWindow(Path directory) throws ErrnoException, IOException {
        HostedWindow hosted;
        try {
            hosted = HostedWindow.of(WINDOW);
        } catch (ErrnoException e) {
            throw new ErrnoException(
                    "--dax: takes root, /dev/fuse, and Linux 6.9 or newer with FUSE_PASSTHROUGH: " + e.call(),
                    e.errno());
        }
        try (hosted) {
            return share(directory, hosted.window());
        }
    }

    private int share(Path directory, Window window) throws ErrnoException, IOException {
        Syscalls sys = new Syscalls(TappedLibc.tap(Libc.load(), recorder));
        PassthroughOptions withXattr = PassthroughOptions.DEFAULT.with(Feature.XATTR);
        try (PassthroughFs fileSystem = OwnDaemon.share(sys, directory, withXattr, window);
                Machine machine = Machine.stepped(fileSystem, options.withWindow(window), recorder)) {
            return run(machine, machine.ownProgram());
        }
    }

    private int run(Machine machine, GuestProcess first) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Interpreter interpreter =
                new Interpreter(machine, first, trace, out, spec.commandLine().getErr());
        if (commands != null) {
            return interpreter.runAll(commands) ? 0 : 1;
        }
        try (Terminal terminal = TerminalBuilder.builder().dumb(true).build()) {
            boolean person = !Terminal.TYPE_DUMB.equals(terminal.getType());
            if (person) {
                out.println("A guest on a directory of the host. 'help' lists the commands, 'exit' ends.");
                out.flush();
            }
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .completer(new StringsCompleter(Programs.names()))
                    .build();
            return person ? converse(reader, interpreter) : readAll(interpreter);
        }
    }

    private static int converse(LineReader reader, Interpreter interpreter) {
        while (!interpreter.isOver()) {
            try {
                interpreter.runAll(reader.readLine(interpreter.prompt()));
            } catch (UserInterruptException _) {
                // Ctrl-C: another line
            } catch (EndOfFileException _) {
                break;
            }
        }
        return 0;
    }

    /// Standard input is no terminal: its lines are run as a script.
    private static int readAll(Interpreter interpreter) throws IOException {
        String script = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        boolean succeeded = true;
        for (String line : script.lines().toList()) {
            succeeded &= interpreter.runAll(line);
        }
        return succeeded ? 0 : 1;
    }
}
