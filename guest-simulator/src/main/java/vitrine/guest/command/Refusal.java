package vitrine.guest.command;

import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import vitrine.posix.FileProblem;

/// What a command says that cannot do what it was asked for: the same from all commands.
///
/// A message begins with who says it, `vitrine trace: `. What somebody may type is written as it is
/// typed, `./vitrine trace`.
public final class Refusal {

    private static final int WRONG_USAGE = 2;

    private Refusal() {}

    /// A command line that refuses like all others.
    public static CommandLine by(CommandLine commandLine) {
        commandLine.setParameterExceptionHandler((e, arguments) -> wrongUsage(worst(e, arguments)));
        commandLine.setExecutionExceptionHandler((e, command, _) -> failure(e, command));
        return commandLine;
    }

    /// Says why a command failed.
    ///
    /// @return its exit code
    public static int failure(Exception e, CommandLine command) {
        command.getErr().println(speaker(command) + FileProblem.of(e));
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /// What is wrong with the command line, and what may have been meant.
    private static int wrongUsage(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        command.getErr().println(speaker(command) + what(wrong));
        UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
        command.getErr().println("see " + command.getCommandSpec().qualifiedName() + " --help");
        return WRONG_USAGE;
    }

    private static String speaker(CommandLine command) {
        return command.getCommandSpec().qualifiedName().replaceFirst("^\\./", "") + ": ";
    }

    private static String what(ParameterException wrong) {
        return wrong instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()
                ? "Unknown option: '" + unmatched.getUnmatched().getFirst() + "'" // what follows may be its value
                : wrong.getMessage().replaceFirst("^Error: ", "");
    }

    /// Of an argument that is missing and an option that there is not, the option: who has mistyped
    /// one often misses the other only because of that.
    private static ParameterException worst(ParameterException wrong, String... arguments) {
        if (!(wrong instanceof MissingParameterException)) {
            return wrong;
        }
        CommandLine command = wrong.getCommandLine();
        CommandLine all = command;
        all.getCommandSpec().parser().collectErrors(true);
        while (all.getParent() != null) {
            all = all.getParent();
            all.getCommandSpec().parser().collectErrors(true);
        }
        ParseResult parsed = all.parseArgs(arguments);
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        return parsed.errors().stream()
                .filter(error -> error instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption())
                .map(ParameterException.class::cast)
                .findFirst()
                .orElse(wrong);
    }
}
