package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// What README.md tells a reader to type works as it stands there.
///
/// The block below `<!-- run -->` is run by `sh -eu` from the root of the repository, with no
/// input; every command of it must answer 0, within [#LIMIT]. The blocks run in their order, one at
/// a time.
class ReadmeCommandsTest {

    private static final Duration LIMIT = Duration.ofSeconds(150);

    @TestFactory
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    Stream<DynamicTest> everyMarkedBlockRuns() {
        return runnable(Repository.read("README.md")).stream()
                .map(block -> DynamicTest.dynamicTest(
                        "README.md:" + block.line() + " "
                                + block.text().lines().findFirst().orElse(""),
                        () -> run(block.text(), LIMIT)));
    }

    @Test
    void onlyMarkedBlocksAreRun() {
        String document = "```sh\nfalse\n```\n\n<!-- run -->\n```sh\ntrue\ntrue\n```\n";
        List<Markdown.Code> blocks = runnable(document);
        assertEquals(List.of(new Markdown.Code(7, "run", "true\ntrue\n")), blocks);
    }

    @Test
    void aCommandThatFailsIsSeen() {
        AssertionError seen = assertThrows(AssertionError.class, () -> run("echo no such luck\nfalse\ntrue\n", LIMIT));
        assertTrue(seen.getMessage().contains("no such luck"));
    }

    @Test
    void aCommandThatHangsIsEnded() {
        assertThrows(AssertionError.class, () -> run("sleep 100 | cat\n", Duration.ofMillis(200)));
    }

    private static List<Markdown.Code> runnable(String document) {
        return Markdown.code(document, "sh").stream()
                .filter(block -> block.mark().equals("run"))
                .toList();
    }

    private static void run(String script, Duration limit) throws IOException, InterruptedException {
        Path output = Files.createTempFile("readme-", ".out");
        Process shell = new ProcessBuilder("sh", "-eu", "-c", script)
                .directory(Repository.ROOT.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = shell.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            assertTrue(ended, () -> "not done after " + limit.toSeconds() + " s; it had said:\n" + read(output));
            assertEquals(0, shell.exitValue(), () -> "it said:\n" + read(output));
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
            Files.delete(output);
        }
    }

    private static String read(Path output) {
        return Repository.read(output.toString());
    }
}
