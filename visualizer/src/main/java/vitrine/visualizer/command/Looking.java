package vitrine.visualizer.command;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/// The commands of `./vitrine` that look at runs.
///
/// | exit code | means |
/// |---|---|
/// | 0 | done; of a query, true |
/// | 1 | it could not be done; of a query, false |
/// | 2 | the command line is wrong |
@Command(
        name = "vitrine",
        mixinStandardHelpOptions = true,
        description = "Looks at what happened in a run.",
        subcommands = {
            RenderCommand.class,
            DiffCommand.class,
            QueryCommand.class,
            ExportCommand.class,
            HelpCommand.class
        },
        footer = {"", "Example: a picture of the ring", "  vitrine render 'first-byte@first-kick?view=rings' -o x.svg"})
public final class Looking {

    private static final int FAILED = 1;
    private static final int WRONG = 2;

    private Looking() {}

    /// Runs a command and ends the process with its exit code.
    public static void main(String... arguments) {
        System.exit(run(arguments));
    }

    /// Runs a command and returns its exit code.
    public static int run(String... arguments) {
        System.setProperty("java.awt.headless", "true");
        CommandLine commandLine = new CommandLine(new Looking());
        commandLine.setExecutionExceptionHandler((e, command, _) -> {
            command.getErr().println("vitrine " + command.getCommandName() + ": " + e.getMessage());
            return e instanceof IllegalArgumentException ? WRONG : FAILED;
        });
        List<String> given = List.of(arguments);
        if (given.isEmpty()) {
            commandLine.usage(System.out);
            return 0;
        }
        return commandLine.execute(arguments);
    }
}
