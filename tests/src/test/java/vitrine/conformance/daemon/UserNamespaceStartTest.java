package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.guest.frontend.Frontend;
import vitrine.posix.UnixSocket;

/// How a daemon that is not root gets into a user namespace, and why not.
class UserNamespaceStartTest {

    @TempDir
    private Path folder; // socket and share in one

    private Tenant tenant;

    @BeforeEach
    void tenant() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        tenant = new Tenant(folder.resolve("tenant"));
        Files.writeString(folder.resolve("file"), "content");
    }

    /// libvirt's command line to the letter: its socket comes in as a descriptor, and the process
    /// that it has started is the one that ends when the guest leaves.
    ///
    /// Caught: the new daemon as a process of its own, rather than by `execute`.
    @Test
    void theProcessThatWasStartedIsTheDaemon() throws Exception {
        Path path = folder.resolve("inherited");
        try (UnixSocket listening = UnixSocket.listen(DaemonProcess.SYS, path);
                Spawned spawned = Spawned.withDescriptor(listening.fd(), folder, number -> {
                    List<String> arguments =
                            new ArrayList<>(List.of("--fd=" + number, "--shared-dir", folder.toString()));
                    arguments.addAll(Tenant.OPTIONS_OF_LIBVIRT);
                    return tenant.command(DaemonProcess.command(arguments.toArray(String[]::new)));
                })) {
            try (Frontend frontend = Frontend.connect(
                    DaemonProcess.SYS, UnixSocket.connect(DaemonProcess.SYS, path), DaemonProcess.USUAL)) {
                BriefGuest.visit(frontend);
            }

            assertEquals(0, spawned.exitCode());
        }
    }

    /// What cannot be is said in a line, with what to do about it.
    ///
    /// Caught: no `tryOut`; each remedy for another; who is root
    /// inside not asked.
    @Test
    void whatIsMissingIsSaid() throws Exception {
        String tooMany = "--uid-map=:0:" + Tenant.FIRST_UID + ":" + (Tenant.GRANTED + 1) + ":";
        String all = "--uid-map=:0:" + Tenant.FIRST_UID + ":" + Tenant.GRANTED + ":";
        Path programs = Files.createDirectory(folder.resolve("programs"));
        assertFails("/etc/subuid", "/usr/bin:/bin", tooMany);
        assertFails("--uid-map=:0:4242:1:", "/usr/bin:/bin", "--uid-map=:1:" + Tenant.FIRST_UID + ":1:");
        assertFails("--fd", "/usr/bin:/bin", all, "--socket-group=daemon");
        assertFails("apt-get install util-linux", programs.toString(), all);
        Path unshare = Files.writeString(programs.resolve("unshare"), "#!/bin/sh\nexec /usr/bin/unshare \"$@\"\n");
        Files.setPosixFilePermissions(unshare, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertFails("apt-get install uidmap", programs.toString(), all);
    }

    /// How `unshare` is told: one's own id apart where older ones need that, but never next to a
    /// range, of which newer ones (2.42 at least) would then cut the end off. If it makes something
    /// else, that is not where the daemon goes.
    ///
    /// Caught: one's own id always apart, or never; the namespaces not compared.
    @Test
    void whatUnshareMakesIsLookedAt() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        Path unshare = Files.writeString(programs.resolve("unshare"), "#!/bin/sh\necho \"$@\"\n");
        Files.setPosixFilePermissions(unshare, PosixFilePermissions.fromString("rwxr-xr-x"));
        String another = "another user namespace, [--user --keep-caps ";

        assertFails(
                another + "--map-user=0 --map-users=200000,1,65536 --map-group=0 --map-groups=300000,1,65536 cat",
                programs.toString(),
                Tenant.OPTIONS_OF_LIBVIRT.toArray(String[]::new));
        assertFails(
                another + "--map-users=200000,0,1000 --map-users=4242,1000,1 --map-group=4343 cat",
                programs.toString(),
                "--uid-map=:0:200000:1000:",
                "--uid-map=:1000:4242:1:");
    }

    private void assertFails(String word, String path, String... options) {
        List<String> command = new ArrayList<>(List.of("env", "PATH=" + path));
        command.addAll(DaemonProcess.command(DaemonProcess.arguments(folder, folder, options)));
        try (DaemonProcess failing = DaemonProcess.start(folder, tenant.command(command))) {
            assertEquals(1, failing.exitCode(), failing.err());
            assertEquals(1, failing.err().lines().count(), failing.err());
            assertTrue(failing.err().contains(word), failing.err());
        }
    }
}
