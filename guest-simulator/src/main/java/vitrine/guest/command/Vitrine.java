package vitrine.guest.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import vitrine.guest.compare.CompareCommand;
import vitrine.guest.demo.DemoCommand;
import vitrine.guest.experiment.ExperimentCommand;
import vitrine.guest.hostile.HostileCommand;
import vitrine.guest.program.ProgramCommand;
import vitrine.guest.shell.ShellCommand;
import vitrine.guest.wireshark.WiresharkCommand;
import vitrine.guest.workload.WorkloadCommand;
import vitrine.guest.workload.fio.FioCommand;

/// `vitrine`, all commands but the daemon.
///
/// | exit code | means |
/// |---|---|
/// | 0 | done |
/// | 1 | it could not be done; standard error says why |
/// | 2 | the command line is wrong |
@Command(
        name = "./vitrine",
        mixinStandardHelpOptions = true,
        version = "vitrine 0.1.0",
        description = "A virtiofsd behind glass: a guest to play, and what it does to look at.",
        subcommands = {
            DemoCommand.class,
            ShellCommand.class,
            TraceCommand.class,
            QemuCommand.class,
            CompareCommand.class,
            HostileCommand.class,
            MountCommand.class,
            WiresharkCommand.class,
            ProgramCommand.class,
            FioCommand.class,
            WorkloadCommand.class,
            ExperimentCommand.class,
            HelpCommand.class
        },
        footer = {"", "Example: see who clears a set-user-ID bit", "  ./vitrine demo"})
public final class Vitrine {

    private Vitrine() {}

    /// Runs a command and ends the process with its exit code.
    public static void main(String... arguments) {
        CommandLine commandLine = commandLine();
        if (arguments.length == 0) {
            commandLine.usage(System.out);
            System.exit(0);
        }
        System.exit(commandLine.execute(arguments));
    }

    /// All commands, and what they say when something is wrong.
    public static CommandLine commandLine() {
        return Refusal.by(new CommandLine(new Vitrine()));
    }
}
