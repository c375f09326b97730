package vitrine.conformance.wireshark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import vitrine.guest.wireshark.Dissector;
import vitrine.guest.wireshark.WiresharkCommand;

/// `vitrine wireshark`, as a person types it.
class WiresharkCommandTest {

    @TempDir
    private Path folder;

    private String said;

    private int wireshark(String... arguments) {
        StringWriter text = new StringWriter();
        int exit = new CommandLine(new WiresharkCommand())
                .setOut(new PrintWriter(text))
                .setErr(new PrintWriter(text))
                .setExecutionExceptionHandler((e, _, _) -> {
                    text.write("" + e.getMessage());
                    return 1;
                })
                .execute(arguments);
        said = text.toString();
        return exit;
    }

    /// Caught: `--uninstall` that only said so.
    @Test
    void installsWhereItSaysAndRemovesItAgain() throws Exception {
        Path plugins = Files.createDirectory(folder.resolve("a"));
        Path script = plugins.resolve("vitrine.lua");

        assertEquals(0, wireshark("--into", plugins.toString()));
        assertTrue(said.startsWith("installed " + script), said);
        assertEquals(Dissector.script(), Files.readString(script));

        assertEquals(0, wireshark("--into", plugins.toString(), "--uninstall"));
        assertFalse(Files.exists(script));
        assertEquals(0, wireshark("--into", plugins.toString(), "--uninstall"));
        assertTrue(said.startsWith("there is no "), said);
    }

    /// Caught: `--print` that installed as well.
    @Test
    void printsTheScriptAndTouchesNothing() throws Exception {
        assertEquals(0, wireshark("--into", folder.toString(), "--print"));

        assertEquals(Dissector.script(), said);
        assertFalse(Files.exists(folder.resolve("vitrine.lua")));
    }

    @Test
    void whereItCannotBeWrittenIsSaidAndNotDone() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertNotEquals(0, wireshark("--into", file.resolve("plugins").toString()));
        assertTrue(said.contains(file.toString()), said);
    }
}
