package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import vitrine.conformance.rules.Needs;
import vitrine.guest.hostile.HostileCommand;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.OtherDaemon;

/// `vitrine hostile`, as a person uses it.
@Timeout(60)
class HostileCommandTest {

    private String out;
    private String err;

    private int hostile(String... arguments) {
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        int exit = new CommandLine(new HostileCommand())
                .setOut(new PrintWriter(outText))
                .setErr(new PrintWriter(errText))
                .setExecutionExceptionHandler((e, command, _) -> {
                    command.getErr().println(e.getMessage());
                    return 1;
                })
                .execute(arguments);
        out = outText.toString();
        err = errText.toString();
        return exit;
    }

    private static void needsTheDaemonInC() throws Exception {
        Needs.root();
        try {
            OtherDaemon.C.command();
        } catch (GuestFailedException e) {
            Needs.that(false, e.getMessage());
        }
    }

    /// Caught: an exit code of 0 whatever happened.
    @Test
    void whoDoesNotSurviveALieIsShownAndFails() throws Exception {
        needsTheDaemonInC();

        assertEquals(1, hostile("--daemon=c", "--only=^a table of .* bytes|nobody knows"), () -> err);

        List<String> lines =
                out.lines().map(line -> line.replaceAll("  +", "|")).toList();
        assertEquals(
                List.of(
                        "|right|c",
                        "Requests",
                        "|an opcode that nobody knows|ENOSYS|ENOSYS",
                        "Chains",
                        "|a table of no bytes|comes back empty|ended, exit code 1",
                        "|a table of 33 bytes|comes back empty|ended, exit code 1",
                        "an honest guest goes on|3 of 3|1 of 3"),
                lines);
    }

    @Test
    void whoSurvivesSucceeds() throws Exception {
        needsTheDaemonInC();

        assertEquals(0, hostile("--daemon=c", "--only=nobody knows"), () -> err);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--only=no such lie", "--only=(", "--tries=0", "--socket=x"})
    void wrongUsageIsSaid(String argument) {
        assertEquals(2, hostile(argument));

        assertTrue(err.contains(argument.substring(0, argument.indexOf('='))), err);
    }

    /// Caught: the socket's name left out. Seen to catch: the head of a table that never comes.
    @Test
    void aSocketWhereNobodyListensIsNamed() {
        assertEquals(1, hostile("--socket-path=/no/such/socket"));

        assertTrue(err.contains("nobody listens on /no/such/socket"), err);
        assertEquals("", out);
    }
}
