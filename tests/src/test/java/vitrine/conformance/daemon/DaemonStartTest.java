package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.guest.frontend.Frontend;
import vitrine.posix.UnixSocket;

/// Whether the daemon can start, and where it listens.
class DaemonStartTest {

    @TempDir
    Path temporary;

    private Path share;
    private DaemonProcess daemon;

    @BeforeEach
    void share() throws Exception {
        Needs.root();
        share = Files.createDirectory(temporary.resolve("share"));
        Files.writeString(share.resolve("file"), "content");
    }

    @AfterEach
    void end() {
        if (daemon != null) {
            daemon.close();
        }
    }

    /// What cannot be: each is exit code 1, one line that names the option or the path, and no
    /// trace in the file system.
    ///
    /// Caught: the message of `Daemon.share` without its path; `adopt` that takes what is no
    /// socket.
    @Test
    void whatCannotBeIsSaidInALine() throws Exception {
        Path file = Files.writeString(temporary.resolve("file"), "precious");
        String shared = "--shared-dir=" + share;
        String socket = "--socket-path=" + temporary.resolve("socket");
        String deep = "/x".repeat(60);

        assertFails(file.toString(), "--shared-dir=" + file, socket);
        assertFails("/nowhere/at/all", "--shared-dir=/nowhere/at/all", socket);
        assertFails(file.toString(), shared, "--socket-path=" + file);
        assertFails("/nowhere/socket", shared, "--socket-path=/nowhere/socket");
        assertFails(deep, shared, "--socket-path=" + deep);
        assertFails("--fd=99", shared, "--fd=99");
        assertFails("--fd=3: ENOTSOCK", "--shared-dir=/nowhere/at/all", "--fd=3"); // a file of the JVM's
        assertFails("/nowhere/capture", shared, socket, "--capture=/nowhere/capture");

        try (Mounted _ = Mounted.readOnly(Files.createDirectory(temporary.resolve("mounted")))) {
            assertFails("mounted read-only", "--shared-dir=" + temporary.resolve("mounted"), socket, "--dax=always");
        }

        assertEquals("precious", Files.readString(file));
        assertFalse(Files.exists(temporary.resolve("socket")));
    }

    /// A second daemon for the same socket looks whether the first one lives. That must not be the
    /// end of the first.
    ///
    /// Caught: `served |= serve(…)` that counts who says nothing (the first daemon ends, exit code
    /// 0).
    @Test
    void aSocketInUseIsNotTaken() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);
        try (DaemonProcess second = DaemonProcess.run(
                temporary.resolve("second"), "--shared-dir=" + share, "--socket-path=" + daemon.socket())) {
            assertEquals(1, second.exitCode());
            assertTrue(second.err().contains("already in use"), second.err());
        }

        try (Frontend frontend = daemon.connect()) {
            BriefGuest.visit(frontend);
        }
        daemon.verifyEnded(0);
    }

    /// What a daemon left behind that was killed is in nobody's way.
    ///
    /// Caught: `removeIfStale` not called.
    @Test
    void aSocketThatWasLeftBehindIsReplaced() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);
        daemon.close(); // SIGKILL
        assertTrue(Files.exists(daemon.socket()));

        daemon = DaemonProcess.serving(temporary, share);

        try (Frontend frontend = daemon.connect()) {
            BriefGuest.visit(frontend);
        }
        daemon.verifyEnded(0);
    }

    /// vhost-user, "Backend program conventions": `--fd` is a socket that listens already, and
    /// whoever opened it also removes it.
    ///
    /// Caught: `UnixSocket.adopt` with the path to remove.
    @Test
    void aSocketThatListensAlreadyIsUsed() throws Exception {
        Path path = temporary.resolve("inherited");
        try (UnixSocket listening = UnixSocket.listen(DaemonProcess.SYS, path);
                Spawned spawned = Spawned.withDescriptor(
                        listening.fd(),
                        temporary,
                        number -> DaemonProcess.command("--shared-dir=" + share, "--fd=" + number))) {
            try (Frontend frontend = Frontend.connect(
                    DaemonProcess.SYS, UnixSocket.connect(DaemonProcess.SYS, path), DaemonProcess.USUAL)) {
                BriefGuest.visit(frontend);
            }

            assertEquals(0, spawned.exitCode());
            assertTrue(Files.exists(path));
        }
    }

    private void assertFails(String word, String... arguments) {
        try (DaemonProcess failing = DaemonProcess.run(temporary.resolve("failing"), arguments)) {
            assertEquals(1, failing.exitCode(), failing.err());
            assertEquals("", failing.out());
            List<String> errors = failing.err()
                    .lines()
                    .filter(line -> !line.contains(": info: "))
                    .toList();
            assertEquals(1, errors.size(), failing.err());
            assertTrue(errors.getFirst().contains(word), failing.err());
        }
    }
}
