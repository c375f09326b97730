package vitrine.conformance.passthrough;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The descriptors of this process, which other tests and the JVM have as well.
final class Descriptors {

    private Descriptors() {}

    /// How many lead to this directory or to what is below, deleted files included.
    static long under(Path directory) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(fd -> target(fd).startsWith(directory)).count();
        }
    }

    private static Path target(Path fd) {
        try {
            return Files.readSymbolicLink(fd);
        } catch (IOException _) {
            return Path.of(""); // that of the listing itself
        }
    }
}
