package vitrine.visualizer.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import vitrine.posix.FileProblem;

/// The commands of `./vitrine` that look at runs.
///
/// | exit code | means |
/// |---|---|
/// | 0 | done; of a query, true |
/// | 1 | it could not be done; of a query, false |
/// | 2 | the command line is wrong |
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

    private static final int FAILED = 1;
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
        CommandLine commandLine = new CommandLine(new Looking()).setOut(out).setErr(err);
        commandLine.setExecutionExceptionHandler((e, command, _) -> {
            command.getErr().println("vitrine " + command.getCommandName() + ": " + FileProblem.of(e));
            return e instanceof IllegalArgumentException ? WRONG : FAILED;
        });
        commandLine.setParameterExceptionHandler((e, _) -> refuse(e));
        if (arguments.length == 0) {
            commandLine.usage(out);
            return 0;
        }
        return commandLine.execute(arguments);
    }

    /// What is wrong with the command line, and what may have been meant.
    private static int refuse(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + wrong.getMessage());
        UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
        command.getErr().println("see " + name + " --help");
        return WRONG;
    }

    /// Says that a link leads elsewhere than it once did, if it does.
    static void note(Opened opened, CommandSpec spec) {
        if (!opened.note().isEmpty()) {
            spec.commandLine().getErr().println(opened.note());
        }
    }
}
