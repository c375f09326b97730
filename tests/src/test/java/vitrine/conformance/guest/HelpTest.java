package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import vitrine.daemon.CommandLineSyntax;
import vitrine.guest.command.Vitrine;
import vitrine.visualizer.command.DiffCommand;
import vitrine.visualizer.command.ExportCommand;
import vitrine.visualizer.command.QueryCommand;
import vitrine.visualizer.command.RenderCommand;
import vitrine.visualizer.window.ViewCommand;

/// What `--help` says on a terminal of 80 columns.
class HelpTest {

    private static final int COLUMNS = 80;

    static List<CommandLine> commands() {
        List<CommandLine> all =
                new ArrayList<>(Vitrine.commandLine().getSubcommands().values());
        all.add(CommandLineSyntax.parser());
        Stream.of(new DiffCommand(), new ExportCommand(), new QueryCommand(), new RenderCommand(), new ViewCommand())
                .map(CommandLine::new)
                .forEach(all::add);
        return all;
    }

    private static String help(CommandLine command) {
        return command.setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(COLUMNS)
                .getUsageMessage(CommandLine.Help.Ansi.OFF);
    }

    /// Seen to catch: an example that was too long, of which the end stood in a line of its own.
    @ParameterizedTest
    @MethodSource("commands")
    void anExampleCanBeCopied(CommandLine command) {
        List<String> lines = help(command).lines().map(String::stripTrailing).toList();

        String broken = Arrays.stream(command.getCommandSpec().usageMessage().footer())
                .filter(line -> line.startsWith("  ") && !lines.contains(line.stripTrailing()))
                .collect(Collectors.joining("\n"));
        assertEquals("", broken);
    }

    /// Seen to catch: an example that began with `vitrine trace`.
    @ParameterizedTest
    @MethodSource("commands")
    void aCommandIsWrittenAsItIsTyped(CommandLine command) {
        String names = String.join("|", Vitrine.commandLine().getSubcommands().keySet());
        Pattern otherwise =
                Pattern.compile("(?<![./\\w])vitrine (daemon|view|render|diff|query|export|" + names + ")\\b");

        List<String> wrong = help(command)
                .lines()
                .filter(line -> otherwise.matcher(line).find())
                .toList();
        assertEquals(List.of(), wrong);
    }

    /// As of diff(1) and grep(1), whose users expect it.
    ///
    /// Seen to catch: no list of exit codes.
    @Test
    void exitCodesThatAnswerAreListed() {
        for (Object command : List.of(new DiffCommand(), new QueryCommand())) {
            String help = help(new CommandLine(command));
            assertTrue(help.contains("Exit status") && help.contains("  2   trouble"), help);
            assertFalse(help.contains("\t"), help);
        }
    }
}
