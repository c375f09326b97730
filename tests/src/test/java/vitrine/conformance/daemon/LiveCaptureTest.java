package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.GetattrIn;
import vitrine.guest.frontend.Frontend;
import vitrine.trace.CaptureReader;
import vitrine.trace.TraceEvent;

/// A daemon that tells what it does, while it does it.
@Timeout(60)
class LiveCaptureTest {

    private static final int MORE_THAN_WAIT = 12_000; // requests; each makes some events

    @TempDir
    private Path temporary;

    /// Who connects is told the requests of the guest that comes then, from within the sandbox, and
    /// that the daemon has ended. The socket goes with it.
    ///
    /// Caught: the socket removed by whoever closes it, which lives in the sandbox.
    @Test
    void whoConnectsIsToldWhatTheGuestDoes() throws Exception {
        Needs.root();
        Path share = Files.createDirectory(temporary.resolve("share"));
        Files.writeString(share.resolve("file"), "content");
        Path socket = temporary.resolve("now");
        List<TraceEvent> told = new CopyOnWriteArrayList<>();

        try (DaemonProcess daemon = DaemonProcess.serving(temporary, share, "--capture-socket=" + socket);
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            Thread viewer = Thread.ofPlatform().daemon().start(() -> {
                try (InputStream in = Channels.newInputStream(channel)) {
                    CaptureReader.follow(in, told::add);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            try (Frontend frontend = daemon.connect()) {
                BriefGuest.visit(frontend);
            }
            viewer.join();
            assertEquals(0, daemon.exitCode());
        }
        assertTrue(
                told.stream()
                        .anyMatch(event -> event instanceof TraceEvent.RequestDecoded request
                                && request.opcode().equals("OPEN")),
                () -> told.size() + " events");
        assertTrue(told.stream().anyMatch(TraceEvent.HostCall.class::isInstance));
        assertFalse(Files.exists(socket));
    }

    /// A guest does not wait for somebody who looks on and does not read: all of its requests are
    /// answered while more events wait than there is room for, and then the viewer is told how many
    /// it has missed.
    ///
    /// Seen to catch: an event that waits until there is room for it.
    @Test
    void whoDoesNotReadMissesEventsAndTheGuestDoesNotWait() throws Exception {
        Needs.root();
        Path share = Files.createDirectory(temporary.resolve("share"));
        Path socket = temporary.resolve("now");
        InodeRequest.Getattr question = new InodeRequest.Getattr(BriefGuest.ROOT, new GetattrIn(0, 0));

        try (DaemonProcess daemon = DaemonProcess.serving(temporary, share, "--capture-socket=" + socket);
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                Frontend frontend = daemon.connect()) {
            BriefGuest guest = new BriefGuest(frontend);
            assertEquals(0, guest.errno(BriefGuest.INIT));
            for (int i = 0; i < MORE_THAN_WAIT; i++) {
                assertEquals(0, guest.errno(question));
            }

            AtomicLong missed = new AtomicLong();
            Thread.ofPlatform().daemon().start(() -> {
                try (InputStream in = Channels.newInputStream(channel)) {
                    CaptureReader.follow(in, event -> {
                        if (event instanceof TraceEvent.Dropped gap) {
                            missed.addAndGet(gap.events());
                        }
                    });
                } catch (IOException _) {
                    // It ends when the test does.
                }
            });
            while (missed.get() == 0) {
                assertEquals(0, guest.errno(question));
            }
        }
    }
}
