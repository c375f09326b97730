package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import vitrine.virtqueue.DeviceQueue;

/// Watching costs nothing while nobody watches: what serves a guest does not know of the trace.
class UntappedTest {

    private static final List<String> SERVING =
            List.of("wire", "fuse", "posix", "memory", "virtqueue", "vhostuser", "session", "passthrough");

    /// Read from the compiled classes, where no name can hide behind an import.
    ///
    /// Seen to catch: a trace event made in `QueueWorker`.
    @Test
    void whatServesAGuestDoesNotKnowTheTrace() throws Exception {
        List<String> knowing = new ArrayList<>();
        int looked = 0;

        for (Path file : classFiles()) {
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            looked++;
            if (content.contains("vitrine/trace/") || content.contains("vitrine/tap/")) {
                knowing.add(file.toString());
            }
        }

        assertFalse(looked == 0, "no classes found");
        assertEquals(List.of(), knowing, "these would make the trace part of serving; use a decorator in vitrine.tap");
    }

    private static List<Path> classFiles() throws IOException, URISyntaxException {
        URI place = DeviceQueue.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Path root = Path.of(place);
        if (Files.isDirectory(root)) {
            return classFiles(root);
        }
        FileSystem jar = FileSystems.newFileSystem(root, Map.of()); // open until the test run ends
        return classFiles(jar.getPath("/"));
    }

    private static List<Path> classFiles(Path root) {
        return SERVING.stream()
                .map(name -> root.resolve("vitrine").resolve(name))
                .filter(Files::isDirectory)
                .flatMap(UntappedTest::walk)
                .filter(file -> file.toString().endsWith(".class"))
                .toList();
    }

    private static Stream<Path> walk(Path folder) {
        try {
            return Files.walk(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
