package vitrine.conformance.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import vitrine.daemon.Main;
import vitrine.guest.compare.CompareCommand;
import vitrine.guest.qemu.ShellWords;

/// `vitrine compare`, as a person uses it.
@Timeout(60)
class CompareCommandTest {

    private static final String OURS = ShellWords.quote(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "--socket-path={socket}",
            "--shared-dir={dir}",
            "--sandbox=none")); // classes in a directory cannot be found from within another

    private String out;
    private String err;

    private int compare(String... arguments) {
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        int exit = new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(outText))
                .setErr(new PrintWriter(errText))
                .execute(arguments);
        out = outText.toString();
        err = errText.toString();
        return exit;
    }

    /// A request that costs nothing, or takes no time, was not measured; one that is answered takes
    /// at least one system call, and no more than a hundred.
    ///
    /// Caught: nanoseconds that are called microseconds.
    @Test
    void showsWhatARequestCostsEachDaemonAndTheSecondInMultiplesOfTheFirst() {
        int exit = compare("--only=^getattr, depth 16", "--rounds=3", "-q", "--daemon=" + OURS, "--daemon=" + OURS);

        assertEquals(0, exit, () -> err);

        List<String> lines = out.lines().toList();
        assertEquals(3, lines.size(), out);
        String[] row = lines.getLast().split("  +|×");
        assertEquals("getattr, depth 16", row[0].strip());
        double processor = Double.parseDouble(row[1]);
        double time = Double.parseDouble(row[2]);
        assertTrue(processor > 0.2 && processor < 100, out);
        assertTrue(time > 0.2 && time < 1000, out);
        double ratio = Double.parseDouble(row[4]);
        assertEquals(Double.parseDouble(row[3]) / processor, ratio, 0.1 + 0.1 * ratio, out);
        assertEquals("", err);
    }

    /// Caught: the daemon's end not looked at.
    @Test
    void aDaemonThatDoesNotStartIsShownWithItsLastWords() {
        assertEquals(1, compare("--daemon=sh -c 'echo no luck today >&2; exit 3' {socket} {dir}"));

        assertTrue(err.contains("the daemon ended with status 3"), err);
        assertTrue(err.contains("no luck today"), err);
        assertEquals("", out);
    }

    /// And no class of Java is named to who has none.
    ///
    /// Caught: `--only` as a `Pattern`, which picocli makes.
    @ParameterizedTest
    @ValueSource(strings = {"--only=no such row", "--only=(", "--rounds=0", "--daemons=c"})
    void wrongUsageIsSaid(String argument) {
        assertEquals(2, compare(argument));

        assertTrue(err.contains(argument.substring(0, argument.indexOf('='))), err);
        assertFalse(err.contains("java."), err);
    }
}
