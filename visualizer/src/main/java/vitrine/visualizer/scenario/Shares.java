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
    static final Preparation LETTER =
            folder -> Files.writeString(folder.resolve("letter"), "Dear reader,\n", StandardCharsets.US_ASCII);

    /// A file of root's that anybody may write to, `tool`.
    static final Preparation TOOL = folder -> tool(folder);

    /// Folders in each other, `a/b/c`, and a file in the innermost, `leaf`.
    static final Preparation DEEP = folder -> {
        Path inner = Files.createDirectories(folder.resolve("a/b/c"));
        Files.writeString(inner.resolve("leaf"), "leaf\n", StandardCharsets.US_ASCII);
    };

    /// A file of 6 MiB, `large`.
    static final Preparation LARGE = folder -> Files.write(folder.resolve("large"), new byte[6 << 20]);

    /// Both.
    static final Preparation TOOL_AND_DEEP = folder -> {
        TOOL.in(folder);
        DEEP.in(folder);
    };

    private Shares() {}

    private static void tool(Path folder) throws IOException {
        Path tool = folder.resolve("tool");
        Files.write(tool, new byte[8 * PAGE]);
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
}
