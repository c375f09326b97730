package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.guest.frontend.Frontend;
import vitrine.posix.Errno;
import vitrine.posix.UnixSocket;
import vitrine.trace.Capture;
import vitrine.trace.CaptureReader;
import vitrine.trace.TraceEvent;

/// What the daemon does as front ends come and go, and how it ends: as a manager of virtual
/// machines sees it.
class DaemonLifeTest {

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
    /// Field report: cloud-hypervisor #4750.
    ///
    /// Caught: `listening.close()` removed from `Daemon.close` (the socket stays).
    @Test
    void whenTheFrontEndLeavesTheDaemonEnds() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);
        try (Frontend frontend = daemon.connect()) {
            BriefGuest.visit(frontend);
        }

        daemon.verifyEnded(0);
    }

    /// vhost-user, "Backend program conventions": SIGTERM ends the program; what was asked for is
    /// no failure.
    ///
    /// Caught: the shutdown hook not registered (exit code 143, and the socket stays).
    @Test
    void sigtermEndsADaemonThatWaits() {
        daemon = DaemonProcess.serving(temporary, share);

        daemon.terminate();

        daemon.verifyEnded(0);
    }

    @Test
    void sigtermEndsADaemonThatServes() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);
        try (Frontend frontend = daemon.connect()) {
            BriefGuest.visit(frontend);

            daemon.terminate();

            daemon.verifyEnded(0);
        }
    }

    // --- front ends that are none

    /// Something else than vhost-user is a failure, and the log says what it was.
    ///
    /// Field report: probe: exit code 0 after a protocol error.
    ///
    /// Caught: `MalformedException` not caught in `Main.serve`; `over` not set (exit code 0).
    @Test
    void whoDoesNotSpeakVhostUserIsAFailure() throws Exception {
        daemon = DaemonProcess.serving(temporary, share);

        say("GET / HTTP/1");

        daemon.verifyEnded(1);
        assertTrue(daemon.err().contains("not version 1"), daemon.err());
    }

    /// With `--keep-listening` the daemon is a service: it sends such a front end away and serves
    /// the next one, which finds nothing of those before.
    ///
    /// Field report: cloud-hypervisor #4750.
    ///
    /// Caught: `session.reset()` removed from `Daemon.serve` (the second guest need not say INIT,
    /// and knows the first one's nodeids).
    @Test
    void aDaemonThatKeepsListeningServesTheNextFrontEnd() throws Exception {
        daemon = DaemonProcess.serving(temporary, share, "--keep-listening");
        try (Frontend first = daemon.connect()) {
            BriefGuest.visit(first);
        }
        say("GET / HTTP/1");

        try (Frontend second = daemon.connect()) {
            BriefGuest guest = new BriefGuest(second);
            InodeRequest.Getattr getattr = new InodeRequest.Getattr(BriefGuest.ROOT, new GetattrIn(0, 0));
            assertEquals(Errno.EIO, guest.errno(getattr));
            assertEquals(0, guest.errno(BriefGuest.INIT));
            InHeader oldFile = InHeader.of(2, 2, 0, 0, 0);
            assertEquals(Errno.ESTALE, guest.errno(new InodeRequest.Getattr(oldFile, new GetattrIn(0, 0))));
        }
        assertTrue(daemon.isAlive());
        assertTrue(daemon.err().contains("not version 1"), daemon.err());
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
            BriefGuest.visit(frontend);
        }

        daemon.verifyEnded(0);
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
            BriefGuest.visit(frontend);
            daemon.terminate();
            daemon.verifyEnded(0);
        }

        Capture capture = CaptureReader.read(file);

        assertTrue(capture.note().isEmpty(), capture.note()::toString);
        assertTrue(capture.events().stream().anyMatch(TraceEvent.RequestDecoded.class::isInstance));
    }

    /// Connects, says something as long as the header of a message, and waits until it is sent
    /// away.
    private void say(String text) throws Exception {
        try (UnixSocket socket = UnixSocket.connect(DaemonProcess.SYS, daemon.socket());
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, text.getBytes(StandardCharsets.UTF_8));
            socket.send(bytes, List.of());
            assertEquals(0, socket.receive(bytes, new ArrayList<>()));
        }
    }
}
