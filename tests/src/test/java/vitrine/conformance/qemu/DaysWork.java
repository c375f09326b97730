package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A day's work on 3000 files, `work.sh`: on the host with the same busybox as in the guest.
final class DaysWork {

    private DaysWork() {}

    /// What a program on the host said, and its status.
    record OnHost(int status, String output) {}

    /// Makes a folder where the work can be done.
    static Path place(Path folder) throws IOException {
        Files.createDirectory(folder);
        Files.write(folder.resolve("tree.tar"), SourceTree.tar(1));
        return folder;
    }

    /// The lines of shell that do it.
    static String script() throws IOException {
        return resource("work.sh");
    }

    /// Does it here, with busybox's own commands found before the host's, as in the guest.
    static OnHost onHost(Path place) throws IOException, InterruptedException {
        String commands = "BB=$(mktemp -d) && busybox --install -s $BB && PATH=$BB:$PATH\n";
        return run(place, "busybox", "sh", "-c", commands + script() + "\nrm -r $BB");
    }

    /// Runs a program of the host in a folder.
    static OnHost run(Path place, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new OnHost(process.waitFor(), output);
    }

    /// What the work has left in one place and not in the other, both ways, the first twenty.
    static String firstDifferences(Path expected, Path actual) throws IOException, InterruptedException {
        List<String> lines = describe(expected);
        List<String> others = describe(actual);
        assertTrue(lines.size() > 6000, lines::toString);
        Set<String> known = new HashSet<>(lines);
        Set<String> seen = new HashSet<>(others);
        Stream<String> missing =
                lines.stream().filter(line -> !seen.contains(line)).map(line -> "- " + line);
        Stream<String> added =
                others.stream().filter(line -> !known.contains(line)).map(line -> "+ " + line);
        return Stream.concat(missing.limit(10), added.limit(10)).collect(Collectors.joining("\n"));
    }

    private static List<String> describe(Path place) throws IOException, InterruptedException {
        return run(place, "sh", "-c", resource("describe.sh"), "sh", "tree")
                .output()
                .lines()
                .toList();
    }

    /// A text among the resources of these tests.
    static String resource(String name) throws IOException {
        try (InputStream in = DaysWork.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
