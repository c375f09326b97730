package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.MovingGuest;
import vitrine.guest.qemu.NewerSoftware;
import vitrine.guest.qemu.Share;

/// A real Linux guest that is moved by a real QEMU, from one daemon of ours to another.
class MovingGuestTest {

    /// Opens what it will use, says so, waits for the word, and goes on with what it has open.
    private static final String COMMAND = """
            exec 5<held 6>>log 7<nameless
            head -c 4 <&5 >first
            rm nameless
            cd dir
            echo before >&6
            touch ../ready
            until [ -e ../go ]; do sleep 0.1; done
            cat <&5 >../rest
            cat <&7 >>../rest
            echo after >&6
            ls | wc -l >count
            mkdir made && mv made ../moved
            sync
            touch ../done
            """;

    @TempDir
    Path temporary;

    private Path share;
    private Hardware hardware;

    @BeforeEach
    void prepare() throws Exception {
        Needs.root();
        NewerSoftware newer = NewerSoftware.ofUser();
        Needs.rare(newer.isPrepared(), "no QEMU from 8.2 on, which moves a guest: ./vitrine qemu --setup-newer");
        hardware = Hardware.small().in(newer.qemu().toString());
        share = Files.createDirectory(temporary.resolve("share"));
        Files.createDirectory(share.resolve("dir"));
        for (int i = 0; i < 100; i++) {
            Files.createFile(share.resolve("dir/" + i));
        }
        Files.writeString(share.resolve("nameless"), "nameless\n");
        Files.writeString(share.resolve("held"), numbers());
    }

    private static String numbers() {
        return IntStream.range(0, 20_000).mapToObj(i -> i + "\n").collect(Collectors.joining());
    }

    /// While it runs, with the log of writes: what it has open goes on, also a file that has no
    /// name any more. A daemon that does not find its files keeps the guest where it was.
    ///
    /// Seen to catch: FuseSession not resuming what was agreed on. Not a page that is missing in
    /// the log: nearly all that the device writes to, guest and QEMU have just written to as well.
    @Test
    void aRunningGuestMovesWithAllThatItHasOpen() throws Exception {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        try (DaemonProcess first = daemon("1", share, "--migration-mode=file-handles");
                DaemonProcess wrong = daemon("2", elsewhere);
                DaemonProcess second = daemon("3", share, "--migration-mode=file-handles");
                MovingGuest guest = guest()) {
            guest.boot(first.socket());
            await("ready", guest);

            GuestFailedException stays = assertThrows(GuestFailedException.class, () -> guest.moveTo(wrong.socket()));
            assertTrue(wrong.err().contains("not found here"), () -> wrong.err() + stays.getMessage());
            guest.moveTo(second.socket());
            first.exitCode();

            goesOn(guest);
        }
    }

    /// A guest that stands still is written into a file, its QEMU and its daemon end, and others go
    /// on with it: nobody asked for a log.
    ///
    /// Field report: RHEL-50542.
    ///
    /// Seen to catch: Migration.begin refusing while there is no log.
    @Test
    void aGuestIsSavedToAFileAndGoesOnFromThere() throws Exception {
        Path file = temporary.resolve("saved");
        try (MovingGuest guest = guest()) {
            try (DaemonProcess first = daemon("1", share)) {
                guest.boot(first.socket());
                await("ready", guest);
                Files.writeString(share.resolve("nameless"), "nameless\n"); // again: its file is gone with the daemon
                guest.saveTo(file);
                assertEquals(0, first.exitCode());
            }
            try (DaemonProcess second = daemon("2", share, "--migration-on-error=guest-error")) {
                guest.resumeFrom(file, second.socket());

                Files.createFile(share.resolve("go"));
                await("done", guest);
                assertEquals(numbers().substring(4), Files.readString(share.resolve("rest")));
                assertTrue(second.err().contains("1 of its files is not found here"), second::err);
            }
        }
    }

    private void goesOn(MovingGuest guest) throws Exception {
        Files.createFile(share.resolve("go"));
        await("done", guest);
        assertEquals(numbers().substring(4) + "nameless\n", Files.readString(share.resolve("rest")));
        assertEquals("before\nafter\n", Files.readString(share.resolve("log")));
        assertEquals("101", Files.readString(share.resolve("dir/count")).strip()); // with itself
        assertTrue(Files.isDirectory(share.resolve("moved")));
    }

    private DaemonProcess daemon(String name, Path directory, String... more) {

        return DaemonProcess.serving(temporary.resolve("daemon" + name), directory, more);
    }

    private MovingGuest guest() throws Exception {
        return new MovingGuest(hardware, Share.of(share), COMMAND, temporary.resolve("guest"));
    }

    private void await(String file, MovingGuest guest) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (!Files.exists(share.resolve(file))) {
            assertTrue(guest.isAlive() && System.nanoTime() < end, () -> "no " + file + "\n" + guest.lastWords());
            Thread.sleep(50);
        }
    }
}
