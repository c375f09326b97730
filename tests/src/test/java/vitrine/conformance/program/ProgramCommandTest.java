package vitrine.conformance.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import vitrine.conformance.rules.Needs;
import vitrine.guest.program.ProgramCommand;

/// `vitrine program`: what people see.
class ProgramCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = new CommandLine(new ProgramCommand());
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        command.setExecutionExceptionHandler((e, line, _) -> {
            line.getErr().println(e.getMessage());
            return 1;
        });
        return command.execute(arguments);
    }

    /// A program that is performed as it should be: each call, and its requests beside it.
    @Test
    void oneProgramIsShownStepByStep() {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        Needs.tool("gcc", "gcc libc6-dev");

        assertEquals(0, run("--guest", "bridge", "dup"), err::toString);

        String shown = out.toString();
        assertTrue(shown.contains("b = dup a"), shown);
        assertTrue(shown.contains("FLUSH(f), RELEASE(f)"), shown);
        assertTrue(shown.contains("1 of 1 programs as expected"), shown);
    }

    /// A step that differs is marked, with both sides, and the exit status says so.
    ///
    /// Seen to catch: an exit status of 0 whatever was seen.
    @Test
    void aDifferenceIsMarkedAndFails() {
        Needs.root();

        assertEquals(1, run("--without=killpriv-v2", "set-id-write.v2"), err::toString);

        String shown = out.toString();
        assertTrue(shown.contains("not: "), shown);
        assertTrue(shown.lines().anyMatch(line -> line.startsWith("  ! ")), shown);
    }

    /// What is expected was seen in Linux 6.1 and newer: of an older one a difference is told, with
    /// the program's name, and is no failure.
    ///
    /// Seen to catch: an exit status of 1, and the mark of a failure, for every difference.
    @Test
    void anOlderKernelDiffersAndThatIsNoFailure() {
        Needs.root();

        assertEquals(0, run("--linux=5.4", "set-id-write-stranger.none", "dup"), err::toString);

        String shown = out.toString();
        assertTrue(shown.contains("Linux 5.4: 1 of 2 programs as expected of Linux 6.1 and newer"), shown);
        assertTrue(shown.contains("no failure that these differ: set-id-write-stranger.none\n"), shown);
        assertTrue(shown.lines().noneMatch(line -> line.startsWith("  ! ")), shown);
        assertTrue(shown.lines().anyMatch(line -> line.startsWith("  ~ ")), shown);
    }

    /// What cannot be asked for is said, with what can.
    @Test
    void whatCannotBeAskedForIsSaid() {
        assertEquals(2, run("no-such-program"));
        assertEquals(2, run("--guest", "moon", "dup"));
        assertEquals(2, run("--linux", "1.0", "dup"));
        assertEquals(1, run("--guest", "model", "--linux", "6.1", "statx-unknown"));

        String said = err.toString();
        assertTrue(said.contains("there is no program no-such-program; ./vitrine program --list names them"), said);
        assertTrue(said.contains("--guest moon: model, bridge or qemu"), said);
        assertTrue(said.contains("Linux 1.0 is not known"), said);
        assertTrue(said.contains("statx-unknown needs from 6.6"), said);
    }

    /// The list has a line for each program.
    @Test
    void theListNamesWhatThereIs() {
        assertEquals(0, run("--list"));

        assertTrue(out.toString().lines().count() > 100);
        assertTrue(out.toString().contains("stat-twice"), out::toString);
    }
}
