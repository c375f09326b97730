package vitrine.visualizer.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import vitrine.visualizer.scenario.Scenario.Preparation;

/// What lies in the shared folder before a guest starts.
final class Shares {

    private static final int PAGE = 4096;

    /// Nothing.
    static final Preparation EMPTY = _ -> {};

    /// A file of a few bytes, `letter`.
    static final Preparation LETTER = folder -> file(folder.resolve("letter"), "Dear reader,\n");

    /// A file of root's that anybody may write to, `tool`.
    static final Preparation TOOL = folder -> tool(folder);

    /// Folders in each other, `a/b/c`, and a file in the innermost, `leaf`.
    static final Preparation DEEP = folder -> {
        Path inner = Files.createDirectories(folder.resolve("a/b/c"));
        for (Path made = inner; !made.equals(folder); made = made.getParent()) {
            allow(made, "rwxr-xr-x");
        }
        file(inner.resolve("leaf"), "leaf\n");
    };

    /// A file of 6 MiB, `large`.
    static final Preparation LARGE = folder -> {
        Path large = folder.resolve("large");
        Files.write(large, new byte[6 << 20]);
        allow(large, "rw-r--r--");
    };

    /// Both.
    static final Preparation TOOL_AND_DEEP = folder -> {
        TOOL.in(folder);
        DEEP.in(folder);
    };

    private Shares() {}

    private static void tool(Path folder) throws IOException {
        Path tool = folder.resolve("tool");
        Files.write(tool, new byte[8 * PAGE]);
        allow(tool, "rwxrwxrwx");
    }

    private static void file(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.US_ASCII);
        allow(file, "rw-r--r--");
    }

    /// Whatever the umask of whoever runs it is.
    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
