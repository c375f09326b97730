package vitrine.guest.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All programs, as they stand in the `.programs` files beside this class.
///
/// ```
/// # Chapter
/// What it is about.
/// server NAME: WORDS              a server that each of the programs meets, and NAME a condition
///
/// ## name: what is to be seen
/// server WORDS                    see Server; a line that may be left out, as the next two
/// given f 8192 0644 1000:1000     a file that is there before; d/ is a directory
/// needs CONDITION                 see Condition
/// a = open f O_RDWR   | LOOKUP(/, f), OPEN(f, O_RDWR)
/// statx f → EIO       | STATX(f) → EIO
///   before 6.6        | GETATTR(f)                       instead, for these clients
///                     | ACCESS(f)                        a line that goes on
/// > The rule that decides.
/// ```
public final class Programs {

    private static final List<String> FILES = List.of(
            "mount.programs",
            "names.programs",
            "data.programs",
            "namespace.programs",
            "metadata.programs",
            "set-id.programs",
            "unknown.programs",
            "write-back.programs",
            "dax.programs");

    /// Programs on one subject.
    ///
    /// @param prose what is to be said about all of them
    public record Chapter(String title, String prose, List<Program> programs) {}

    private Programs() {}

    /// All chapters.
    public static List<Chapter> chapters() {
        return FILES.stream().map(Programs::read).toList();
    }

    /// All programs.
    public static List<Program> all() {
        return chapters().stream()
                .flatMap(chapter -> chapter.programs().stream())
                .toList();
    }

    private static Chapter read(String file) {
        try (InputStream in = Programs.class.getResourceAsStream(file)) {
            return chapter(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(file, e);
        }
    }

    /// Reads a chapter.
    ///
    /// @throws IllegalArgumentException with the line that makes no sense
    public static Chapter chapter(String file, String text) {
        String title = "";
        List<String> prose = new ArrayList<>();
        List<Program> programs = new ArrayList<>();
        Map<String, Server> servers = new LinkedHashMap<>();
        ProgramReader reader = null;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            try {
                if (line.startsWith("## ")) {
                    finish(reader, programs);
                    reader = new ProgramReader(line.substring(3), servers);
                } else if (reader != null) {
                    reader.line(line);
                } else if (line.startsWith("# ")) {
                    title = line.substring(2);
                } else if (line.startsWith("server ")) {
                    ProgramReader.server(line, servers);
                } else {
                    prose.add(line);
                }
            } catch (RuntimeException e) {
                throw new IllegalArgumentException(file + ", line " + number + ": " + e.getMessage(), e);
            }
        }
        finish(reader, programs);
        return new Chapter(title, String.join("\n", prose).strip(), List.copyOf(programs));
    }

    private static void finish(ProgramReader reader, List<Program> programs) {
        if (reader != null) {
            programs.addAll(reader.finish());
        }
    }
}
