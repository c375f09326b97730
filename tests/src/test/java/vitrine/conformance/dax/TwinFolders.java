package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/// Two directories of the host, to which the same is done: one is shared with a DAX window, the
/// other without.
record TwinFolders(Path directory) implements AutoCloseable {

    /// What is done on the host to a file.
    interface Change {
        void of(FileChannel file) throws IOException;
    }

    static TwinFolders make() throws IOException {
        TwinFolders folders = new TwinFolders(Files.createTempDirectory("dax-twins"));
        Files.createDirectory(folders.dax());
        Files.createDirectory(folders.plain());
        return folders;
    }

    Path dax() {
        return directory.resolve("dax");
    }

    Path plain() {
        return directory.resolve("plain");
    }

    /// Changes a file in both.
    void change(String name, Change change) throws IOException {
        for (Path side : List.of(dax(), plain())) {
            try (FileChannel file = FileChannel.open(side.resolve(name), StandardOpenOption.WRITE)) {
                change.of(file);
            }
        }
    }

    /// Puts another file in the place of one in both, as editors do.
    void replace(String name, byte[] bytes) throws IOException {
        for (Path side : List.of(dax(), plain())) {
            Path next = Files.write(directory.resolve("next"), bytes);
            Files.move(next, side.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /// Both hold the same files.
    void requireSame() throws IOException {
        List<String> names = names(plain());
        assertEquals(names, names(dax()));
        for (String name : names) {
            assertEquals(-1, Files.mismatch(dax().resolve(name), plain().resolve(name)), name);
        }
    }

    private static List<String> names(Path side) throws IOException {
        try (Stream<Path> files = Files.list(side)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }
}
