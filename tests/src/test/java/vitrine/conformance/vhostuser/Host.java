package vitrine.conformance.vhostuser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// The host's system calls for all tests of this package, and its view on this process.
final class Host {

    static final Syscalls SYS = new Syscalls(Libc.load());

    private Host() {}

    /// How many descriptors of this process lead to a file.
    static long timesOpen(Path file) {
        try (Stream<Path> numbers = Files.list(Path.of("/proc/self/fd"))) {
            return numbers.filter(number -> target(number).equals(file.toString()))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Descriptors of the kinds that vhost-user hands over. The JVM opens others as it pleases
    /// (jars).
    static Map<String, String> handedOver() {
        Map<String, String> open = new TreeMap<>();
        try (Stream<Path> numbers = Files.list(Path.of("/proc/self/fd"))) {
            for (Path number : numbers.toList()) {
                String target = target(number);
                if (target.contains("eventfd") || target.startsWith("socket:") || target.contains("memfd:")) {
                    open.put(number.getFileName().toString(), target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return open;
    }

    /// How many pieces of memory files are mapped.
    static long mapped() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path number) {
        try {
            return Files.readSymbolicLink(number).toString();
        } catch (IOException _) {
            return ""; // the directory's own descriptor, closed by now
        }
    }
}
