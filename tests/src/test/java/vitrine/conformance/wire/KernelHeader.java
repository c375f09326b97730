package vitrine.conformance.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The distribution's `<linux/fuse.h>`: its text, and what the C compiler makes of it.
final class KernelHeader {

    private final String text;

    private KernelHeader(String text) {
        this.text = text;
    }

    /// The header that gcc would include.
    static KernelHeader read() {
        return new KernelHeader(run("#include <linux/fuse.h>\n", "gcc", "-E", "-dD", "-xc", "-"));
    }

    /// The minor version of protocol 7 that it describes.
    int minor() {
        Matcher version =
                Pattern.compile("#define FUSE_KERNEL_MINOR_VERSION (\\d+)").matcher(text);
        if (!version.find()) {
            throw new AssertionError("fuse.h does not say its version");
        }
        return Integer.parseInt(version.group(1));
    }

    /// Whether it does not have `name`, and need not: it came with a later minor version, or with
    /// this one but after the kernel that the header was taken from (Linux 6.1 and 6.3 are both
    /// 7.38).
    boolean isOlderThan(int minor, String name) {
        boolean known = Pattern.compile("\\b" + name + "\\b").matcher(text).find();
        return minor > minor() || minor == minor() && !known;
    }

    /// The names that these patterns find as their first group, line by line.
    Set<String> names(String... patterns) {
        Set<String> names = new TreeSet<>();
        for (String pattern : patterns) {
            Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(text);
            while (matcher.find()) {
                names.add(matcher.group(1));
            }
        }
        return names;
    }

    /// Compiles and runs a program that does each of the `prints`, and gives what each has printed.
    Map<String, String> evaluate(Map<String, String> prints, Path folder) {
        StringBuilder program = new StringBuilder("""
                #include <stddef.h>
                #include <stdio.h>
                #include <linux/fuse.h>
                int main(void) {
                """);
        prints.forEach((name, print) -> program.append("printf(\"%s\\t\", \"")
                .append(name)
                .append("\"); ")
                .append(print)
                .append("; puts(\"\");\n"));
        program.append("return 0; }\n");
        Path binary = folder.resolve("fuse-header");
        run(program.toString(), "gcc", "-Wall", "-Werror", "-xc", "-", "-o", binary.toString());

        Map<String, String> printed = new TreeMap<>();
        run("", binary.toString()).lines().forEach(line -> {
            String[] words = line.split("\t");
            printed.put(words[0], words[1]);
        });
        return printed;
    }

    private static String run(String input, String... command) {
        try {
            Path in = Files.createTempFile("vitrine", ".c");
            Path out = Files.createTempFile("vitrine", ".out");
            try {
                Files.writeString(in, input);
                int status = new ProcessBuilder(command)
                        .redirectInput(in.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start()
                        .waitFor();
                assertEquals(0, status, () -> String.join(" ", command) + ":\n" + textOf(out));
                return textOf(out);
            } finally {
                Files.delete(in);
                Files.delete(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
