package vitrine.guest.qemu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// A folder that is gone, with all that is in it, when it is closed or the JVM ends.
public final class TemporaryFolder implements AutoCloseable {

    private final Path path;
    private final AtExit made;

    private TemporaryFolder(Path path) throws IOException {
        this.path = path;
        made = AtExit.undo(this::delete);
    }

    /// A new folder where temporary files go, usually `/tmp`; for its owner only.
    public static TemporaryFolder named(String prefix) throws IOException {
        return new TemporaryFolder(Files.createTempDirectory(prefix));
    }

    /// A new folder in a folder.
    public static TemporaryFolder in(Path parent, String prefix) throws IOException {
        return new TemporaryFolder(Files.createTempDirectory(parent, prefix));
    }

    /// The folder.
    public Path path() {
        return path;
    }

    /// Deletes the folder; links in it are deleted, not followed. A second call does nothing.
    @Override
    public void close() throws IOException {
        made.close();
    }

    private void delete() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(each);
            }
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
    }
}
