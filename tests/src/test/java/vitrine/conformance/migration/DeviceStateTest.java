package vitrine.conformance.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static vitrine.conformance.migration.MovedGuest.SYS;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.daemon.VirtioFsDevice;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.GuestMove;
import vitrine.guest.frontend.Manners;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fd;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;

/// The device's state by messages, as a front end asks for it (vhost-user: "Migrating back-end
/// state").
class DeviceStateTest {

    @TempDir
    Path host;

    private PassthroughFs fs;
    private Frontend frontend;

    @BeforeEach
    void connect() throws Exception {
        fs = new PassthroughFs(SYS, host.toString(), PassthroughOptions.DEFAULT);
        UnixSocket[] pair = UnixSocket.pair(SYS);
        VirtioFsDevice device = new VirtioFsDevice(SYS, new FuseSession(fs), 1, "");
        Backend backend = new Backend(Connection.over(pair[1]), device, SYS);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                backend.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        frontend = Frontend.connect(SYS, pair[0], FrontendOptions.of(Manners.QEMU_11, 4 << 20));
    }

    @AfterEach
    void leave() {
        frontend.close();
        fs.close();
    }

    /// A snapshot of a guest that stands still asks for the state alone: no VHOST_F_LOG_ALL, no
    /// log. Before the guest has sent INIT, too.
    ///
    /// Field report: RHEL-50542.
    ///
    /// Seen to catch: Migration.begin refusing while there is no log.
    @Test
    void aGuestThatStandsStillIsSavedWithoutALog() throws Exception {
        byte[] state = GuestMove.save(frontend);

        GuestMove.load(frontend, state);
        assertEquals(state.length, GuestMove.save(frontend).length);
    }

    /// While a ring is served nothing that was collected would last, so nothing is.
    ///
    /// Seen to catch: Migration.begin not looking at the rings.
    @Test
    void aDeviceInUseHasNoState() throws Exception {
        frontend.startQueues(16);

        assertThrows(FrontendException.class, () -> GuestMove.save(frontend));
        frontend.stopQueue(0);
        frontend.stopQueue(1);
        GuestMove.save(frontend);
    }

    /// What cannot be a stream is refused at once: an eventfd says that it is ready, and takes
    /// nothing.
    ///
    /// Seen to catch: Pipe without requireStream.
    @Test
    void whatIsNoStreamIsRefused() throws Exception {
        try (Fd event = SYS.eventfd()) {
            FrontendException refused = assertThrows(FrontendException.class, () -> GuestMove.save(frontend, event));
            assertEquals("the device's state cannot be moved: 0x101", refused.getMessage());
        }
        GuestMove.save(frontend);
    }

    /// A state that is none is refused when it is asked how it went, and the device goes on.
    ///
    /// Seen to catch: Transfer taking an end by an exception for a good one.
    @Test
    void whatIsNoStateIsRefusedAndTheDeviceLives() throws Exception {
        byte[] state = GuestMove.save(frontend);

        for (byte[] nonsense : new byte[][] {{}, {1, 2, 3}, new byte[1 << 20]}) {
            assertThrows(FrontendException.class, () -> GuestMove.load(frontend, nonsense));
        }

        GuestMove.load(frontend, state);
        frontend.startQueues(16);
    }
}
