package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.JarredClassPath;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;

/// The umask of the process, which file systems take away.
class UmaskTest {

    @TempDir
    private Path share;

    /// The process has no umask while one of its file systems is open, and the one that it had when
    /// all are closed: what it starts then makes files as ever.
    ///
    /// Caught: a umask that is never given back; one that the first of two gives back.
    @Test
    void theUmaskIsGivenBackWithTheLastFileSystem() throws Exception {
        Process alone = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        JarredClassPath.get(),
                        Alone.class.getName(),
                        share.toString())
                .redirectErrorStream(true)
                .start();

        String said = new String(alone.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, alone.waitFor(), said);
        assertTrue(said.endsWith("file 666, umask 27\n"), said);
    }

    /// A process of its own, for nobody else may have a file system open.
    static final class Alone {

        private Alone() {}

        public static void main(String... arguments) throws Exception {
            Path share = Path.of(arguments[0]);
            NotedLibc.SHARED.asLibc().umask(027);
            Guest first = new Guest(share, PassthroughOptions.DEFAULT);
            int mode;
            try (Guest second = new Guest(share, PassthroughOptions.DEFAULT)) {
                first.close();
                mode = second.create(Guest.ROOT, "f", Fcntl.O_CREAT | Fcntl.O_RDWR, 0100666, 0)
                        .entry()
                        .attr()
                        .mode();
            }
            int umask = NotedLibc.SHARED.asLibc().umask(022);
            System.out.printf("file %o, umask %o%n", mode & 0777, umask);
        }
    }
}
