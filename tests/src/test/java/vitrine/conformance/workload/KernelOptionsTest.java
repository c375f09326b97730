package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import vitrine.conformance.dax.EndlessHost;
import vitrine.conformance.rules.Needs;
import vitrine.guest.experiment.ExperimentCommand;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.KernelSwitch;
import vitrine.guest.program.ProgramCommand;
import vitrine.guest.shell.ShellCommand;
import vitrine.guest.workload.WorkloadCommand;
import vitrine.guest.workload.fio.FioCommand;

/// A version of Linux, and each of its switches alone, for all commands with a simulated guest.
class KernelOptionsTest {

    private static Ours run(Callable<Integer> command, String... words) {
        return Ours.run(command, List.of(words));
    }

    /// A switch turns itself, and no other.
    ///
    /// Seen to catch: `off` of a habit that leaves it on.
    @Test
    void eachSwitchTurnsItself() {
        for (KernelSwitch one : KernelSwitch.ALL) {
            for (KernelProfile kernel : KernelProfile.ALL) {
                KernelProfile on = one.on().apply(kernel);
                KernelProfile off = one.off().apply(on);
                assertTrue(one.in().test(on), one.name());
                assertFalse(one.in().test(off), one.name());
                for (KernelSwitch other : KernelSwitch.ALL) {
                    assertEquals(
                            other.name().equals(one.name()),
                            other.in().test(on) != other.in().test(off),
                            one.name() + " and " + other.name());
                }
            }
        }
    }

    /// The kernel that results is the one that works: a shell's append clears the set-ID
    /// bit itself, and what is changed is said first.
    ///
    /// Seen to catch: a machine with the kernel of the version.
    @Test
    void theShellsKernelIsTheOneAskedFor() {
        Needs.root();
        String script = "echo hello > f; chmod 4777 f; su 1000; trace on; echo again >> f";

        Ours usual = run(new ShellCommand(), "-c", script);
        Ours without = run(new ShellCommand(), "--without=killpriv-v2", "-c", script);

        assertTrue(usual.out().contains("KILL_SUIDGID"), usual.out());
        assertTrue(without.out().startsWith("Linux 6.1 without killpriv-v2\n"), without.out());
        assertFalse(without.out().contains("KILL_SUIDGID"), without.out());
    }

    /// As in a prototype, a file in the window is made longer first.
    ///
    /// Seen to catch: a way that is read and not used.
    @Test
    void aFileInTheWindowGrowsAsAskedFor() {
        EndlessHost.needed().close();
        String script = "echo hello > f; trace on; echo again >> f";

        Ours ours = run(new ShellCommand(), "--dax", "--extending-write=fallocate", "-c", script);

        assertTrue(ours.out().startsWith("Linux 6.1, extending writes: fallocate first\n"), ours.out());
        assertTrue(ours.out().contains("FALLOCATE"), ours.out());
    }

    /// Results say in which kernel they were had.
    ///
    /// Seen to catch: the version's name in place of the kernel's.
    @Test
    void resultsNameTheKernel() {
        String name = "Linux 6.12 without statx, with no-memory";
        List<String> words = List.of("--linux=6.12", "--without=statx", "--with=no-memory");
        String fio = "--name=a --filename=f --size=16k --bs=4k --rw=write";

        assertTrue(
                with(words, new WorkloadCommand(), "create --count=3").startsWith("create in " + name + ": 3 times"));
        assertTrue(with(words, new WorkloadCommand(), "create --count=3 --json").contains('"' + name + '"'));
        assertTrue(with(words, new FioCommand(), fio).contains("Guest kernel: " + name + "\n"));
        assertTrue(with(words, new FioCommand(), fio + " --output-format=json")
                .contains("\"guest kernel\" : \"" + name + "\""));
        assertTrue(with(words, new ExperimentCommand(), "killpriv --rounds=0")
                .startsWith("simulator with " + name + ", ours\n"));
    }

    private static String with(List<String> options, Callable<Integer> command, String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        words.addAll(options);
        Ours ours = Ours.run(command, words);
        assertEquals(0, ours.exit(), ours.err());
        return ours.out();
    }

    /// An experiment's kernel counts: one without HANDLE_KILLPRIV_V2 gains nothing by a server that
    /// has it.
    ///
    /// Seen to catch: settings that keep their own kernel.
    @Test
    void anExperimentIsInTheKernelThatIsAskedFor() {
        Ours ours = run(new ExperimentCommand(), "killpriv", "--rounds=0", "--without=killpriv-v2");

        assertEquals(1, ours.exit(), ours.out());
        assertTrue(ours.out().contains("the direction is not the reported one"), ours.out());
    }

    /// A program is performed by it, beside what the version would send.
    ///
    /// Seen to catch: a model that is built from the version.
    @Test
    void aProgramShowsWhatAnotherKernelSends() {
        Needs.root();

        Ours ours = run(new ProgramCommand(), "--without=killpriv-v2", "set-id-write.v2");

        assertEquals(1, ours.exit(), ours.out());
        assertTrue(ours.out().contains("SETATTR(f, MODE=0777), WRITE(f, 0, 4096)"), ours.out());
        assertTrue(ours.out().contains("Linux 6.1 without killpriv-v2: 0 of 1 programs"), ours.out());
    }

    /// What cannot be is refused with what can, before anything is started.
    ///
    /// Seen to catch: a switch that is on already and is taken.
    @Test
    void whatCannotBeIsRefused() {
        refused(new ShellCommand(), "--without=moon: there is no moon; there is async-read, ", "--without=moon");
        refused(new ShellCommand(), "--with=statx: Linux 6.12 does so anyway", "--linux=6.12", "--with=statx");
        refused(new ShellCommand(), "--without=statx: Linux 6.1 does not do so anyway", "--without=statx");
        refused(new ShellCommand(), "--extending-write: takes --dax", "--extending-write=split");
        refused(new ShellCommand(), "moon: write, split, fallocate or truncate", "--extending-write=moon");
        refused(new ProgramCommand(), "--guest bridge has a real one", "--guest=bridge", "--with=statx", "dup");
        refused(new ExperimentCommand(), "has a real one", "killpriv", "--guest=bridge", "--linux=6.12");
        refused(new ExperimentCommand(), "has no guest's kernel", "lookup", "--with=statx");
        refused(
                new FioCommand(),
                "--linux, --with and --without are for it",
                "--guest=bridge",
                "--name=a",
                "--size=4k",
                "--linux=5.4");
    }

    /// A daemon that cannot be told of before and after is not measured twice for nothing.
    ///
    /// Seen to catch: no such check, and a result that is chance.
    @Test
    void aDaemonWithoutOptionsIsNotComparedWithItself() {
        String daemon = "--daemon=false --socket-path={socket} {dir}";

        refused(new ExperimentCommand(), "a command line gets none", "killpriv", daemon, "--rounds=0");
        refused(new ExperimentCommand(), "a command line gets none", "matrix", daemon, "--guest=qemu", "--rounds=0");
    }

    private static void refused(Callable<Integer> command, String said, String... words) {
        Ours ours = run(command, words);

        assertEquals(2, ours.exit(), ours.out() + ours.err());
        assertTrue(ours.err().contains(said), ours.err());
    }

    /// The help has a line for each switch.
    ///
    /// Seen to catch: a list that is not in the help.
    @Test
    void helpExplainsEachSwitch() {
        for (Callable<Integer> command : List.of(
                new ShellCommand(),
                new ProgramCommand(),
                new WorkloadCommand(),
                new FioCommand(),
                new ExperimentCommand())) {
            String help = new CommandLine(command).getUsageMessage();
            for (KernelSwitch one : KernelSwitch.ALL) {
                assertTrue(help.contains("\n  " + one.name() + " "), one.name() + help);
            }
        }
    }
}
