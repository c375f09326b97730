package vitrine.conformance.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Jazzer (https://github.com/CodeIntelligenceTesting/jazzer) in a process of its own: it changes
/// classes while they are loaded, to see which branches an input takes.
///
/// @param target what takes the inputs
/// @param work where it keeps its corpus, and an input that breaks something
/// @param time how long it runs
/// @param seed which random numbers it uses; 0 for others each time
record FuzzRun(Targets target, Path work, Duration time, long seed) {

    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";

    private static final int LONGEST_INPUT = 8192;
    private static final int LONGEST_WAIT = 30; // seconds for one input
    private static final int MOST_MEMORY = 2048; // MiB, of the whole process

    /// The inputs that lie beside the tests, by name.
    static List<Path> seeds(Targets target) throws IOException {
        try (Stream<Path> files = Files.list(seedFolder(target))) {
            return files.sorted().toList();
        }
    }

    private static Path seedFolder(Targets target) {
        try {
            return Path.of(FuzzRun.class.getResource(target.toString()).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Runs to the end.
    ///
    /// @param lines is told what the fuzzer says
    /// @return 0 if nothing was found
    int run(Consumer<String> lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command())
                .directory(work.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        try (BufferedReader said = process.inputReader()) {
            said.lines().forEach(lines);
            return process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    /// The inputs that broke something, the newest first.
    List<Path> found() throws IOException {
        try (Stream<Path> files = Files.list(work)) {
            return files.filter(file -> file.getFileName().toString().matches("(crash|timeout|oom)-.*"))
                    .sorted((a, b) ->
                            Long.compare(b.toFile().lastModified(), a.toFile().lastModified()))
                    .toList();
        }
    }

    private List<String> command() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", // the fuzzer's own
                "-Dvitrine.rethrow=true",
                "-Dvitrine.fuzz=" + target,
                "-cp",
                System.getProperty("java.class.path"),
                JAZZER,
                "--target_class=" + FuzzEntry.class.getName(),
                "--instrumentation_includes=vitrine.**",
                "--custom_hook_includes=none.**",
                "--reproducer_path=" + work,
                "-artifact_prefix=" + work + "/",
                "-max_total_time=" + Math.max(1, time.toSeconds()),
                "-max_len=" + LONGEST_INPUT,
                "-timeout=" + LONGEST_WAIT,
                "-rss_limit_mb=" + MOST_MEMORY));
        if (seed != 0) {
            command.add("-seed=" + seed);
        }
        command.add(Files.createDirectories(work.resolve("corpus")).toString());
        if (target != Targets.ALL) {
            command.add(seedFolder(target).toString());
        }
        return command;
    }
}
