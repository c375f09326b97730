package vitrine.conformance.rules;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/// What a test cannot do without: without it the test is skipped, and says why.
///
/// A skipped test is a green test that checked nothing. On a person's machine that is a kindness;
/// on the machine that guards the main branch it is a hole. There `VITRINE_NO_SKIPS=1` (or
/// `-Dvitrine.noSkips=true`) turns each of these into a failure.
public final class Needs {

    private Needs() {}

    /// Needs root, for chown, for mounts, and for file handles.
    public static void root() {
        that("root".equals(System.getProperty("user.name")), "needs root: run it with sudo, or in a container");
    }

    /// Needs a program on the PATH, which a Debian package brings.
    ///
    /// @param program the name of the program, or its whole path
    /// @param debianPackage what to install if it is not there
    public static void tool(String program, String debianPackage) {
        boolean found = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .map(folder -> Path.of(folder).resolve(program))
                .anyMatch(Files::isExecutable);
        that(found, "needs " + program + ": apt-get install " + debianPackage);
    }

    /// Needs a file, a device for instance, that this process may read.
    ///
    /// @param path where it should be
    /// @param remedy what brings it there, e.g. "modprobe fuse"
    public static void file(String path, String remedy) {
        that(Files.isReadable(Path.of(path)), "needs " + path + ": " + remedy);
    }

    /// Needs what this machine's release of its distribution does not have, such as a newer QEMU.
    /// The machine that guards the main branch fetches it if it can, and is not held up if it
    /// cannot: this one is skipped there too.
    ///
    /// @param isThere whether it is there
    /// @param reason what is missing, and what to do about it
    public static void rare(boolean isThere, String reason) {
        if (!isThere) {
            skip(reason);
        }
    }

    /// Needs something else.
    ///
    /// @param isThere whether it is there
    /// @param reason what is missing, and what to do about it
    public static void that(boolean isThere, String reason) {
        if (isThere) {
            return;
        }
        if (skipsAreFailures(System.getenv("VITRINE_NO_SKIPS"), System.getProperty("vitrine.noSkips"))) {
            Assertions.fail(reason + " (and skipping is forbidden here: VITRINE_NO_SKIPS)");
        }
        skip(reason);
    }

    private static void skip(String reason) {
        System.out.println("skipped: " + reason);
        Assumptions.abort(reason);
    }

    static boolean skipsAreFailures(String environment, String property) {
        return "1".equals(environment) || "true".equals(environment) || "true".equals(property);
    }
}
