package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// A daemon that is not root, in a user namespace: who is who, and what is out of reach.
class UserNamespaceTest {

    private static final int NOBODY = 65_534; // how a file's owner is shown who has no number inside
    private static final int STRANGER = 70_000; // has none

    @TempDir
    private static Path ofAll;

    private static Tenant tenant;
    private static Path share;
    private static Path own; // where the daemon makes its socket
    private static DaemonProcess ofLibvirt;

    @TempDir
    private Path folder;

    private DaemonProcess daemon;

    /// One daemon for all tests that libvirt's options are good for.
    @BeforeAll
    static void serve() throws Exception {
        Files.setPosixFilePermissions(ofAll, PosixFilePermissions.fromString("rwxr-xr-x"));
        tenant = new Tenant(ofAll.resolve("tenant"));
        share = Tenant.owns(Files.createDirectory(ofAll.resolve("share")));
        Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
        own = Tenant.owns(Files.createDirectory(ofAll.resolve("daemon")));
        Files.writeString(share.resolve("file"), "content"); // of the host's root
        List<String> options = new ArrayList<>(Tenant.OPTIONS_OF_LIBVIRT);
        options.add("--keep-listening");
        ofLibvirt = serve(own, options);
    }

    private static DaemonProcess serve(Path directory, List<String> options) {
        String[] arguments = DaemonProcess.arguments(directory, share, options.toArray(String[]::new));
        return DaemonProcess.serving(directory, tenant.command(DaemonProcess.command(arguments)));
    }

    @BeforeEach
    void clean() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Stream<Path> left = Files.walk(share)) {
            for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(share) && !path.endsWith("file")) {
                    Files.delete(path);
                }
            }
        }
    }

    @AfterEach
    void end() {
        if (daemon != null) {
            daemon.close();
        }
    }

    @AfterAll
    static void endAll() {
        if (ofLibvirt != null) {
            ofLibvirt.close();
        }
    }

    private static Machine guest() throws Exception {
        return guestOf(ofLibvirt);
    }

    private Machine guest(String... options) throws Exception {
        daemon = serve(Tenant.owns(Files.createDirectory(folder.resolve("daemon"))), List.of(options));
        return guestOf(daemon);
    }

    private static Machine guestOf(DaemonProcess served) throws Exception {
        return Machine.connect(served.socket(), MachineOptions.DEFAULT.withKernel(KernelProfile.LINUX_6_12));
    }

    private static void make(GuestProcess program, String path) throws ErrnoException {
        program.close(program.open(path, Fcntl.O_CREAT | Fcntl.O_WRONLY, 0640));
    }

    private String hostOwner(String name) throws IOException {
        return hostOwner(share.resolve(name));
    }

    private static String hostOwner(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid") + ":" + Files.getAttribute(file, "unix:gid");
    }

    private static String granted(int uid, int gid) {
        return (Tenant.FIRST_UID + uid) + ":" + (Tenant.FIRST_GID + gid);
    }

    private static void assertRefused(int errno, Executable call) {
        assertEquals(
                Errno.name(errno),
                Errno.name(assertThrows(ErrnoException.class, call).errno()));
    }

    /// The guest's root is the daemon's user, its other users are those that were granted: what
    /// they make or are given is theirs on the host, and theirs when they look.
    ///
    /// Caught: the maps of users and groups exchanged; `unshare` without `--keep-caps`.
    @Test
    void theGuestsUsersAreThoseThatWereGranted() throws Exception {
        try (Machine machine = guest()) {
            GuestProcess root = machine.rootProgram();
            GuestProcess user = machine.userProgram(1000, 1001);

            make(root, "/of root");
            make(user, "/of user");
            make(root, "/given");
            root.chown("/given", 1, 2);
            make(user, "/passed on");
            root.chown("/passed on", 1002, 1003);

            assertEquals(Tenant.UID + ":" + Tenant.GID, hostOwner("of root"));
            assertEquals(granted(999, 1000), hostOwner("of user"));
            assertEquals(granted(0, 1), hostOwner("given"));
            assertEquals(granted(1001, 1002), hostOwner("passed on"));
            assertEquals(0, root.stat("/of root").uid());
            assertEquals(1000, root.stat("/of user").uid());
            assertEquals(2, root.stat("/given").gid());
            assertEquals(1003, root.stat("/passed on").gid());
            assertEquals(7, user.stat("/file").size());
        }
    }

    /// A caller's further groups count as well: newgidmap(1) leaves setgroups(2) allowed.
    ///
    /// Caught: `Credentials` that believes that setgroups(2) is denied.
    @Test
    void aUserMayWhatTheirFurtherGroupsMay() throws Exception {
        Path shared = Files.createDirectory(share.resolve("shared"));
        Files.setAttribute(shared, "unix:uid", Tenant.FIRST_UID);
        Files.setAttribute(shared, "unix:gid", Tenant.FIRST_GID + 49);
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwx---"));
        try (Machine machine = guest()) {
            make(machine.userProgram(1000, 1000, 50), "/shared/made");

            assertEquals(granted(999, 999), hostOwner("shared/made"));
            assertRefused(Errno.EACCES, () -> make(machine.userProgram(1001, 1001), "/shared/no"));
        }
    }

    /// Who has no number inside can make nothing and be given nothing, as in any such namespace;
    /// what they have already is nobody's, and not even root may give it away. And devices are the
    /// host's.
    ///
    /// Caught: `Credentials` that believes that setgroups(2) is denied (`EPERM`).
    @Test
    void whoHasNoNumberInsideIsNobody() throws Exception {
        try (Machine machine = guest()) {
            GuestProcess root = machine.rootProgram();
            make(root, "/of root");

            assertRefused(Errno.EINVAL, () -> make(machine.userProgram(STRANGER, 1), "/theirs"));
            assertRefused(Errno.EINVAL, () -> make(machine.userProgram(1, STRANGER), "/theirs"));
            assertRefused(Errno.EINVAL, () -> root.chown("/of root", STRANGER, 0));
            assertRefused(Errno.EINVAL, () -> root.chown("/of root", 0, STRANGER));
            assertEquals(NOBODY, root.stat("/file").uid());
            assertRefused(Errno.EPERM, () -> root.chown("/file", 1, 1));
            assertRefused(Errno.EPERM, () -> root.mknod("/device", Stat.S_IFCHR | 0600, 0x103));
            make(machine.userProgram(1, 1), "/after all");
            assertEquals(granted(0, 0), hostOwner("after all"));
        }
    }

    /// A whole grant, without the daemon's own user: root is the first of it. The socket is still
    /// the user's, who is to connect to it, and so is the JVM, which has to find its classes.
    ///
    /// Caught: no `becomeRoot`, or of the user alone; `unshare --setuid=0` in its place, by which
    /// the socket is not the user's; no sandbox by default.
    @Test
    void rootCanBeSomebodyElse() throws Exception {
        String users = "--uid-map=:0:" + Tenant.FIRST_UID + ":" + Tenant.GRANTED + ":";
        String groups = "--gid-map=:0:" + Tenant.FIRST_GID + ":" + Tenant.GRANTED + ":";
        try (Machine machine = guest(users, groups)) {
            make(machine.rootProgram(), "/of root");
            make(machine.userProgram(1000, 1000), "/of user");

            assertEquals(granted(0, 0), hostOwner("of root"));
            assertEquals(granted(1000, 1000), hostOwner("of user"));
            assertEquals(Tenant.UID + ":" + Tenant.GID, hostOwner(daemon.socket()));
            assertEquals(NOBODY, machine.rootProgram().stat("/").uid());
            assertAloneWithTheShare(daemon);
            String status = Files.readString(daemon.thread("request-1").resolve("status"));
            assertTrue(status.contains("\nUid:\t" + Tenant.FIRST_UID), status);
            assertTrue(status.contains("\nGid:\t" + Tenant.FIRST_GID), status);
        }
        daemon.verifyEnded(0);
    }

    /// For who serves the guest there is nothing but the share, as with a daemon that is root; also
    /// for one without any grant, whose user keeps the number and is all that there is.
    ///
    /// Caught: no namespace for the sandbox alone; `unshare` without `--keep-caps`.
    @Test
    void aSandboxNeedsNoGrant() throws Exception {
        try (Machine machine = guest("--sandbox=namespace")) {
            make(machine.userProgram(Tenant.UID, Tenant.GID), "/of user");

            assertEquals(Tenant.UID + ":" + Tenant.GID, hostOwner("of user"));
            assertEquals(Tenant.UID, machine.rootProgram().stat("/of user").uid());
            assertRefused(Errno.EPERM, () -> make(machine.rootProgram(), "/of root"));
            assertRefused(Errno.EPERM, () -> make(machine.userProgram(1, 1), "/of another"));
            assertAloneWithTheShare(daemon);
        }
        try (Machine _ = guest()) {
            assertAloneWithTheShare(ofLibvirt);
        }
    }

    private static void assertAloneWithTheShare(DaemonProcess served) throws IOException {
        Path thread = served.thread("request-1");
        assertTrue(Files.exists(thread.resolve("root/file")));
        assertFalse(Files.exists(thread.resolve("root/etc")));
        assertEquals(1, Files.readAllLines(thread.resolve("mountinfo")).size());
        for (String namespace : List.of("ns/user", "ns/mnt", "ns/net")) {
            assertNotEquals(
                    Files.readSymbolicLink(Path.of("/proc/self").resolve(namespace)),
                    Files.readSymbolicLink(thread.resolve(namespace)));
        }
    }
}
