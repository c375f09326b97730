package vitrine.conformance.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.rules.Needs;

/// A few seconds of what `./vitrine fuzz` does for as long as one likes.
class FuzzTest {

    private static final Duration SECONDS = Duration.ofSeconds(5);

    @TempDir
    Path temporary;

    /// The inputs that were worth keeping, among them each that ever broke something.
    ///
    /// Caught: `next` not checked in `ChainWalk`; `WireReader.need` without its check.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ALL")
    void whatWasOnceFoundBreaksNothing(Targets target) throws Exception {
        Needs.root(); // the requests of a guest come in any name
        FuzzTarget fuzzed = target.make();
        for (Path input : FuzzRun.seeds(target)) {
            try {
                fuzzed.take(Files.readAllBytes(input));
            } catch (Exception | AssertionError e) {
                throw new AssertionError(input.toString(), e);
            }
        }
    }

    /// New inputs, for all targets in turn.
    ///
    /// Caught: `WireReader.need` without its check.
    @Test
    void aFewSecondsOfFuzzingFindNothing() throws Exception {
        Needs.root();
        List<String> said = new ArrayList<>();
        FuzzRun run = new FuzzRun(Targets.ALL, temporary, SECONDS, 1);

        int exitCode = run.run(said::add);

        assertEquals(0, exitCode, () -> String.join("\n", said));
        assertTrue(said.stream().anyMatch(line -> line.contains("DONE")), () -> String.join("\n", said));
    }
}
