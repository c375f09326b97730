import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/// Copies the jars that the JVM could not keep in its cache, in a form that it can.
///
/// The AOT cache holds classes as they lie in memory after loading and verification, but only those
/// in the format of Java 6 or newer. Three libraries (ASM and x86asm below jnr-ffi, and picocli)
/// are compiled for Java 5, and their 300 classes would be read and verified at each start. This
/// gives them a newer version number and the stack maps that go with it; their code stays as it is.
/// Measured: the daemon starts with a third less processor time.
///
/// Run by the launcher: `java QuickJars.java FOLDER CLASS-PATH` prints the class path to use
/// instead.
final class QuickJars {

    private static final int JAVA_6 = 50;
    private static final int JAVA_17 = 61;

    private final Path folder;
    private final ClassFile classFile;

    private QuickJars(Path folder, List<Path> jars) throws IOException {
        this.folder = folder;
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        // Where two branches meet, a stack map says what both kinds of object have in common.
        ClassLoader all = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        this.classFile = ClassFile.of(
                StackMapsOption.GENERATE_STACK_MAPS,
                ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(all)));
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        List<Path> jars = List.of(arguments[1].split(":")).stream().map(Path::of).toList();
        QuickJars quick = new QuickJars(folder, jars);
        List<String> classPath = new ArrayList<>();
        for (Path jar : jars) {
            classPath.add(quick.of(jar).toString());
        }
        System.out.println(String.join(":", classPath));
    }

    private Path of(Path jar) throws IOException {
        Path copy = folder.resolve(jar.getFileName());
        if (Files.exists(copy)) {
            return copy; // the version is in the name, and a copy that is touched is no longer in the cache
        }
        try (JarFile from = new JarFile(jar.toFile())) {
            List<JarEntry> entries = from.stream().filter(entry -> !entry.isDirectory()).toList();
            boolean isOld = false;
            for (JarEntry entry : entries) {
                isOld |= isOld(entry, bytes(from, entry));
            }
            return isOld ? copy(from, entries, copy) : jar;
        }
    }

    private Path copy(JarFile from, List<JarEntry> entries, Path copy) throws IOException {
        Path unfinished = folder.resolve(copy.getFileName() + ".new");
        try (var to = new JarOutputStream(Files.newOutputStream(unfinished))) {
            for (JarEntry entry : entries) {
                byte[] bytes = bytes(from, entry);
                to.putNextEntry(new JarEntry(entry.getName()));
                to.write(isOld(entry, bytes) ? renewed(bytes) : bytes);
                to.closeEntry();
            }
        }
        return Files.move(unfinished, copy, StandardCopyOption.ATOMIC_MOVE);
    }

    private static byte[] bytes(JarFile jar, JarEntry entry) throws IOException {
        try (var in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    /// The version stands in the bytes 6 and 7 of a class file (JVMS 4.1).
    private static boolean isOld(JarEntry entry, byte[] bytes) {
        return entry.getName().endsWith(".class") && ((bytes[6] & 0xff) << 8 | bytes[7] & 0xff) < JAVA_6;
    }

    private byte[] renewed(byte[] bytes) {
        ClassTransform version = (builder, element) -> {
            if (element instanceof ClassFileVersion) {
                builder.withVersion(JAVA_17, 0);
            } else {
                builder.with(element);
            }
        };
        // A method that nobody touches is copied as it is, without a stack map: so touch each.
        ClassTransform methods = ClassTransform.transformingMethodBodies((code, element) -> code.with(element));
        return classFile.transformClass(classFile.parse(bytes), version.andThen(methods));
    }
}
