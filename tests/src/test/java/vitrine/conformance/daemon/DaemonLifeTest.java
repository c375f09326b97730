package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.hostile.LyingDriver;
import vitrine.posix.Errno;
import vitrine.posix.UnixSocket;
import vitrine.trace.Capture;
import vitrine.trace.CaptureReader;
import vitrine.trace.TraceEvent;
import vitrine.wire.Name;

/// From the start of the process to its exit code, as a manager of virtual machines sees it.
class DaemonLifeTest {

    private static final int ROOM = 4096;
    private static final InHeader ROOT = InHeader.of(2, 1, 0, 0, 0);

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

    // --- a normal end

    /// The guest is switched off, so is the daemon. Nobody asked for anything to be printed.
    ///
    /// Caught: `listening.close()` removed from `Daemon.close` (the socket stays).
    @Test
    void whenTheFrontEndLeavesTheDaemonEnds() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);
        try (Frontend frontend = daemon.connect()) {
            useShare(frontend);
        }

        assertEnded(0);
    }

    /// vhost-user, "Backend program conventions": SIGTERM ends the program; what was asked for is no
    /// failure.
    ///
    /// Caught: the shutdown hook not registered (exit code 143, and the socket stays).
    @Test
    void sigtermEndsADaemonThatWaits() {
        daemon = DaemonProcess.serving(temporary, share);

        daemon.terminate();

        assertEnded(0);
    }

    @Test
    void sigtermEndsADaemonThatServes() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);
        try (Frontend frontend = daemon.connect()) {
            useShare(frontend);

            daemon.terminate();

            assertEnded(0);
        }
    }

    // --- front ends that are none

    /// Something else than vhost-user is a failure, and the log says what it was.
    ///
    /// Caught: `MalformedException` not caught in `Main.serve`; `over` not set (exit code 0).
    @Test
    void whoDoesNotSpeakVhostUserIsAFailure() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);

        say("GET / HTTP/1");

        assertEnded(1);
        assertTrue(daemon.err().contains("not version 1"), daemon.err());
    }

    /// With `--keep-listening` the daemon is a service: it sends such a front end away and serves the
    /// next one, which finds nothing of those before.
    ///
    /// Caught: `session.reset()` removed from `Daemon.serve` (the second guest need not say INIT, and
    /// knows the first one's nodeids).
    @Test
    void aDaemonThatKeepsListeningServesTheNextFrontEnd() throws Exception {
        daemon = DaemonProcess.serving(temporary, share, "--keep-listening");
        try (Frontend first = daemon.connect()) {
            useShare(first);
        }
        say("GET / HTTP/1");

        try (Frontend second = daemon.connect()) {
            LyingDriver driver =
                    DaemonProcess.driver(second, second.startQueues(16).get(1));
            assertEquals(Errno.EIO, ask(driver, new InodeRequest.Getattr(ROOT, new GetattrIn(0, 0))));
            assertEquals(0, ask(driver, new SessionRequest.Init(ROOT, new InitIn(7, 38, 0, -1, -1))));
            InHeader oldFile = InHeader.of(2, 2, 0, 0, 0);
            assertEquals(Errno.ESTALE, ask(driver, new InodeRequest.Getattr(oldFile, new GetattrIn(0, 0))));
        }
        assertTrue(daemon.isAlive());
        assertTrue(daemon.err().contains("not version 1"), daemon.err());
    }

    // --- the socket

    /// A second daemon for the same socket looks whether the first one lives. That must not be the
    /// end of the first.
    ///
    /// Caught: `served |= serve(…)` that counts who says nothing (the first daemon ends, exit code 0).
    @Test
    void aSocketInUseIsNotTaken() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);
        try (DaemonProcess second = DaemonProcess.run(
                temporary.resolve("second"), "--shared-dir=" + share, "--socket-path=" + daemon.socket())) {
            assertEquals(1, second.exitCode());
            assertTrue(second.err().contains("already in use"), second.err());
        }

        try (Frontend frontend = daemon.connect()) {
            useShare(frontend);
        }
        assertEnded(0);
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
            useShare(frontend);
        }
        assertEnded(0);
    }

    /// What cannot be: each is exit code 1, one line that names the option or the path, and no trace
    /// in the file system.
    ///
    /// Caught: the message of `Daemon.share` without its path.
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
        assertFails("/nowhere/capture", shared, socket, "--capture=/nowhere/capture");

        assertEquals("precious", Files.readString(file));
        assertFalse(Files.exists(temporary.resolve("socket")));
    }

    // --- what it says

    /// Caught: `StandardErrorLog.setLevel` not called.
    @Test
    void aLogLevelOfErrorIsSilentInNormalLife() throws Exception {
        daemon = DaemonProcess.run(
                temporary,
                "--shared-dir=" + share,
                "--socket-path=" + temporary.resolve("socket"),
                "--log-level=error");
        daemon.await("the socket is there", () -> Files.exists(daemon.socket()));
        Thread.sleep(50); // bound, but perhaps not listening yet
        try (Frontend frontend = daemon.connect()) {
            useShare(frontend);
        }

        assertEnded(0);
        assertEquals("", daemon.err());
    }

    /// A capture is what one wants of a daemon that had to be ended.
    ///
    /// Caught: `watch.close()` removed from `Daemon.close` (the capture was not closed).
    @Test
    void aCaptureIsWholeAfterSigterm() throws Exception {
        Path file = temporary.resolve("run.pcapng");
        daemon = DaemonProcess.serving(temporary, share, "--capture=" + file);
        try (Frontend frontend = daemon.connect()) {
            useShare(frontend);
            daemon.terminate();
            assertEnded(0);
        }

        Capture capture = CaptureReader.read(file);

        assertTrue(capture.note().isEmpty(), capture.note()::toString);
        assertTrue(capture.events().stream().anyMatch(TraceEvent.RequestDecoded.class::isInstance));
    }

    // --- a descriptor that was opened before

    /// vhost-user, "Backend program conventions": `--fd` is a socket that listens already, and whoever
    /// opened it also removes it.
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
                useShare(frontend);
            }

            assertEquals(0, spawned.exitCode());
            assertTrue(Files.exists(path));
        }
    }

    private void assertEnded(int exitCode) {
        assertEquals(exitCode, daemon.exitCode(), daemon::err);
        assertEquals("", daemon.out());
        assertFalse(Files.exists(daemon.socket()), "the socket is still there");
        assertFalse(daemon.err().contains("\tat "), daemon.err()); // no stack of ours
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

    /// Connects, says something as long as the header of a message, and waits until it is sent away.
    private void say(String text) throws Exception {
        try (UnixSocket socket = UnixSocket.connect(DaemonProcess.SYS, daemon.socket());
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, text.getBytes(StandardCharsets.UTF_8));
            socket.send(bytes, List.of());
            assertEquals(0, socket.receive(bytes, new ArrayList<>()));
        }
    }

    /// INIT, and a file that stays open.
    private static void useShare(Frontend frontend) throws Exception {
        LyingDriver driver =
                DaemonProcess.driver(frontend, frontend.startQueues(16).get(1));
        assertEquals(0, ask(driver, new SessionRequest.Init(ROOT, new InitIn(7, 38, 0, -1, -1))));
        byte[] lookup =
                new InodeRequest.Lookup(ROOT, Name.of("file")).encode().all().toBytes();
        EntryOut entry = EntryOut.decode(driver.ask(lookup, ROOM).payload());
        InHeader file = InHeader.of(4, entry.nodeid(), 0, 0, 0);
        assertEquals(0, ask(driver, new FileRequest.Open(file, new OpenIn(0, 0))));
    }

    private static int ask(LyingDriver driver, FuseRequest request) {
        return driver.ask(request.encode().all().toBytes(), ROOM).errno();
    }
}
