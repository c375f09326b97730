package vitrine.conformance.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The files of this project: what is in the repository, and nothing that was built from it.
public final class Repository {

    /// Where the repository lies: the build says so, and without it we stand in `tests`.
    public static final Path ROOT =
            Path.of(System.getProperty("vitrine.root", "..")).toAbsolutePath().normalize();

    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", ".vscode", ".settings");
    private static List<SourceFile> javaFiles; // parsed once for all rules

    private Repository() {}

    static synchronized List<SourceFile> javaFiles() {
        if (javaFiles == null) {
            javaFiles = files(path -> path.endsWith(".java"))
                    .map(path -> SourceFile.parse(path, read(path)))
                    .toList();
        }
        return javaFiles;
    }

    static List<SourceFile> javaFilesIn(String folder) {
        return javaFiles().stream().filter(file -> file.isIn(folder)).toList();
    }

    /// All files whose path, seen from the root, is wanted; sorted.
    static Stream<String> files(Predicate<String> wanted) {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all
                    .filter(Files::isRegularFile)
                    .map(ROOT::relativize)
                    .filter(path -> Stream.iterate(path, step -> step != null, Path::getParent)
                            .noneMatch(
                                    step -> NOT_OURS.contains(step.getFileName().toString())))
                    .map(Path::toString)
                    .filter(wanted)
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The text of a file; empty if there is no such file.
    public static String read(String path) {
        try {
            Path file = ROOT.resolve(path);
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
