package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the script `vitrine` says by itself, without building anything.
class LauncherTest {

    private static final int TERMINAL = 80;

    private String said;

    private int vitrine(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("./vitrine"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(Repository.ROOT.toFile())
                .redirectErrorStream(true)
                .start();
        said = new String(process.getInputStream().readAllBytes());
        return process.waitFor();
    }

    /// Caught: a line of 103 columns; `build` that builds whatever it is told; `help` that
    /// knows Java's commands only.
    @ParameterizedTest
    @ValueSource(strings = {"--help", "help", "build --help", "clean --help", "test --help", "help test", "help fuzz"})
    void itsHelpFitsATerminal(String arguments) throws Exception {
        assertEquals(0, vitrine(arguments.split(" ")));

        assertTrue(said.startsWith("usage: ./vitrine COMMAND"), said);
        assertEquals(
                List.of(), said.lines().filter(line -> line.length() > TERMINAL).toList());
    }

    /// Caught: as above.
    @Test
    void anArgumentThatMeansNothingIsNoted() throws Exception {
        assertEquals(2, vitrine("build", "everything"));

        assertTrue(said.contains("everything"), said);
    }

    @Test
    void aCommandThatDoesNotExistIsNoted() throws Exception {
        assertEquals(2, vitrine("biuld"));

        assertTrue(said.contains("biuld") && said.contains("--help"), said);
    }
}
