package vitrine.visualizer.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import vitrine.guest.command.Refusal;

/// The commands of `./vitrine` that look at runs.
///
/// | exit code | means |
/// |---|---|
/// | 0 | done; of a query, true; of a comparison, the same |
/// | 1 | it could not be done; of a query, false; of a comparison, not the same |
/// | 2 | the command line is wrong; a query or a comparison could not be made |
@Command(
        name = "./vitrine",
        mixinStandardHelpOptions = true,
        description = "Looks at what happened in a run.",
        subcommands = {
            RenderCommand.class,
            DiffCommand.class,
            QueryCommand.class,
            ExportCommand.class,
            HelpCommand.class
        },
        footer = {"", "Example: a picture of the ring", "  ./vitrine render 'first-byte@first-kick?view=rings' -o x.svg"
        })
public final class Looking {

    private static final int WRONG = 2;

    private Looking() {}

    /// Runs a command and ends the process with its exit code.
    public static void main(String... arguments) {
        PrintWriter out = new PrintWriter(System.out, false);
        PrintWriter err = new PrintWriter(System.err, true);
        int code = run(out, err, arguments);
        out.flush();
        System.exit(code);
    }

    /// Runs a command and returns its exit code.
    public static int run(PrintWriter out, PrintWriter err, String... arguments) {
        System.setProperty("java.awt.headless", "true");
        CommandLine commandLine =
                Refusal.by(new CommandLine(new Looking())).setOut(out).setErr(err);
        commandLine.setExecutionExceptionHandler((e, command, _) -> {
            int failed = Refusal.failure(e, command);
            return e instanceof IllegalArgumentException ? WRONG : failed;
        });
        if (arguments.length == 0) {
            commandLine.usage(out);
            return 0;
        }
        return commandLine.execute(arguments);
    }

    /// Says that a link leads elsewhere than it once did, if it does.
    static void note(Opened opened, CommandSpec spec) {
        if (!opened.note().isEmpty()) {
            spec.commandLine().getErr().println(opened.note());
        }
    }
}
