package vitrine.conformance.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import vitrine.conformance.daemon.DaemonProcess;

/// One process of the daemon for all tests, which has to survive them all.
final class SharedDaemon {

    private static Path tree;
    private static DaemonProcess daemon;

    private SharedDaemon() {}

    /// The directory that the share lies in.
    static synchronized Path tree() {
        if (tree == null) {
            try {
                tree = Files.createTempDirectory("vitrine-hostile-");
                Files.createDirectory(tree.resolve("share"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(SharedDaemon::end));
        }
        return tree;
    }

    /// The process. Should a test have ended it, that test fails; the next one gets a new process.
    static synchronized DaemonProcess process() {
        if (daemon == null || !daemon.isAlive()) {
            Path share = tree().resolve("share");
            daemon = DaemonProcess.serving(tree().resolve("process"), share, "--xattr", "--keep-listening");
        }
        return daemon;
    }

    /// Removes all that lies in a directory.
    static void empty(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(directory)) {
                    Files.delete(path);
                }
            }
        }
    }

    private static void end() {
        try {
            if (daemon != null) {
                daemon.close();
            }
            empty(tree);
            Files.delete(tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
