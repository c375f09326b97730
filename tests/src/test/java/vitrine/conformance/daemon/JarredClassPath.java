package vitrine.conformance.daemon;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The class path of the test, with jars in the place of directories, which is how the daemon is
/// started outside of tests: a class in a directory cannot be found any more from within a sandbox,
/// one in an open jar can.
public final class JarredClassPath {

    private static String classPath;

    private JarredClassPath() {}

    /// The class path, every entry a jar.
    public static synchronized String get() {
        if (classPath == null) {
            classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> !entry.isEmpty())
                    .map(Path::of)
                    .filter(Files::exists) // Maven names its own output, and there may be none
                    .map(entry -> Files.isDirectory(entry) ? jar(entry) : entry)
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        }
        return classPath;
    }

    /// The same in a directory that anybody can read: the jars may lie where only root can.
    public static String copiedTo(Path directory) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String entry : get().split(File.pathSeparator)) {
            Path jar = Files.copy(Path.of(entry), directory.resolve(jars.size() + ".jar"));
            Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
            jars.add(jar.toString());
        }
        return String.join(File.pathSeparator, jars);
    }

    private static Path jar(Path directory) {
        try {
            Path jar = Files.createTempFile("vitrine-classes", ".jar");
            jar.toFile().deleteOnExit();
            try (OutputStream file = Files.newOutputStream(jar);
                    ZipOutputStream zip = new ZipOutputStream(file)) {
                zip.setLevel(0);
                for (Path path : files(directory)) {
                    zip.putNextEntry(new ZipEntry(directory.relativize(path).toString()));
                    Files.copy(path, zip);
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
