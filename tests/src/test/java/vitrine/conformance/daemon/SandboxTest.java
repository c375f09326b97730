package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// Where the threads live that serve a guest, and what they may do.
class SandboxTest {

    private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);
    private static final int CAP_SYS_ADMIN = 21;
    private static final int CAP_CHOWN = 0;
    private static final int CAP_MKNOD = 27;

    @TempDir
    private Path folder;

    private Path share;
    private DaemonProcess daemon;

    @BeforeEach
    void share() throws Exception {
        Needs.root();
        share = Files.createDirectory(folder.resolve("share"));
        Files.writeString(share.resolve("file"), "content");
    }

    @AfterEach
    void end() {
        if (daemon != null) {
            daemon.close();
        }
    }

    private Machine guestOf(String... options) throws Exception {
        daemon = DaemonProcess.serving(folder.resolve("daemon"), share, options);
        return Machine.connect(daemon.socket(), MachineOptions.DEFAULT);
    }

    /// The thread that serves the first request queue.
    private Path queueThread() throws Exception {
        return daemon.thread("request-1");
    }

    private static Set<String> names(Path directory) throws Exception {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    private static long effective(Path task) throws Exception {
        try (Stream<String> lines = Files.lines(task.resolve("status"))) {
            String line =
                    lines.filter(text -> text.startsWith("CapEff:")).findFirst().orElseThrow();
            return Long.parseUnsignedLong(line.split("\\s+")[1], 16);
        }
    }

    /// For who serves the guest, the shared directory is all there is; with `namespace` in a mount
    /// and a network namespace of its own. Root of the JVM's other threads is the host's.
    ///
    /// Seen to catch: `enter` on another thread; no `umount` of the old root; no chroot.
    @ParameterizedTest
    @ValueSource(strings = {"namespace", "chroot", "none"})
    void whoServesTheGuestSeesOnlyTheShare(String mode) throws Exception {
        try (Machine guest = guestOf("--sandbox=" + mode)) {
            assertEquals(7, guest.rootProgram().stat("/file").size());
            Path thread = queueThread();

            Set<String> seen = names(thread.resolve("root/"));

            if (mode.equals("none")) {
                assertTrue(seen.contains("proc"), seen.toString());
            } else {
                assertEquals(Set.of("file"), seen);
            }
            if (mode.equals("namespace")) {
                assertEquals(1, Files.readAllLines(thread.resolve("mountinfo")).size());
            }
            for (String namespace : List.of("ns/mnt", "ns/net")) {
                Path ofHost = Files.readSymbolicLink(Path.of("/proc/self").resolve(namespace));
                Path ofThread = Files.readSymbolicLink(thread.resolve(namespace));
                assertEquals(mode.equals("namespace"), !ofHost.equals(ofThread), namespace);
            }
            Path ofJava = daemon.thread("Signal"); // the one that signals arrive at
            assertNotEquals(Set.of("file"), names(ofJava.resolve("root/")));
        }
    }

    /// Everything that goes by a path to a descriptor works inside, where there is no `/proc`:
    /// opening once more, chmod, chown, times, truncate, link, extended attributes, of every type
    /// of file.
    ///
    /// Seen to catch: `procPath` with `/proc/self/fd` inside; no `fchdir`.
    @ParameterizedTest
    @ValueSource(strings = {"namespace", "chroot", "none"})
    void allWorksFromInside(String mode) throws Exception {
        try (Machine guest = guestOf("--sandbox=" + mode, "--xattr")) {
            GuestProcess root = guest.rootProgram();

            int fd = root.open("/new", Fcntl.O_CREAT | Fcntl.O_RDWR, 0600);
            root.write(fd, DATA);
            root.close(fd);
            root.chmod("/new", 0640);
            root.chown("/new", 1000, 1001);
            root.truncate("/new", 2);
            root.utimens("/new", new Timespec(1, 0), new Timespec(2, 0));
            root.setxattr("/new", "user.a", DATA, 0);
            root.link("/new", "/linked");
            root.symlink("new", "/symbolic");
            root.lchown("/symbolic", 7, 7);
            root.mknod("/fifo", Stat.S_IFIFO | 0600, 0);
            root.chmod("/fifo", 0604);
            root.rename("/linked", "/renamed");

            assertArrayEquals(DATA, root.getxattr("/renamed", "user.a"));
            assertEquals(List.of("user.a"), root.listxattr("/new"));
            assertEquals("new", root.readlink("/symbolic"));
            assertEquals(0640, root.stat("/renamed").mode() & 07777);
            assertEquals("da", Files.readString(share.resolve("new")));
            assertEquals(
                    2000, Files.getLastModifiedTime(share.resolve("renamed")).toMillis());
            assertEquals(1001, Files.getAttribute(share.resolve("new"), "unix:gid"));
        }
        daemon.verifyEnded(0);
    }

    /// What the host mounts inside the share while a guest is there shows up there, if the host
    /// shares its mounts at all, as systemd sees to (mount_namespaces(7), "SHARED SUBTREES").
    ///
    /// Seen to catch: `MS_PRIVATE` instead of `MS_SLAVE`.
    @Test
    void aLaterMountComesIn() throws Exception {
        Path inside = Files.createDirectory(share.resolve("inside"));
        run("mount", "--bind", share.toString(), share.toString());
        run("mount", "--make-shared", share.toString());
        daemon = DaemonProcess.serving(folder.resolve("daemon"), share, "--sandbox=namespace");
        MachineOptions forgetful =
                MachineOptions.DEFAULT.withKernel(KernelProfile.LINUX_6_1.with(KernelProfile.Habit.NO_MEMORY));
        try (Machine guest = Machine.connect(daemon.socket(), forgetful)) {
            GuestProcess root = guest.rootProgram();
            assertThrows(ErrnoException.class, () -> root.stat("/inside/f"));
            run("mount", "-t", "tmpfs", "none", inside.toString());

            Files.writeString(inside.resolve("f"), "x");

            assertEquals(1, root.stat("/inside/f").size());
        } finally {
            run("umount", "-R", "-l", share.toString());
        }
    }

    private static void run(String... command) throws Exception {
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    }

    /// Of root's capabilities those are left that a file server needs. What is taken away cannot be
    /// had again by the guest's root either.
    ///
    /// Seen to catch: no `keepOnly`; `--modcaps` ignored.
    @Test
    void fewCapabilitiesAreLeft() throws Exception {
        try (Machine guest = guestOf("--modcaps=-mknod")) {
            long left = effective(queueThread());

            assertEquals(0, left >>> CAP_SYS_ADMIN & 1);
            assertEquals(0, left >>> CAP_MKNOD & 1);
            assertEquals(1, left >>> CAP_CHOWN & 1);
            ErrnoException refused = assertThrows(
                    ErrnoException.class, () -> guest.rootProgram().mknod("/device", Stat.S_IFCHR | 0600, 0x103));
            assertEquals(Errno.EPERM, refused.errno());
        }
        daemon.close();
        try (Machine _ = Machine.connect(more("--modcaps=+sys_admin"), MachineOptions.DEFAULT)) {
            assertEquals(1, effective(queueThread()) >>> CAP_SYS_ADMIN & 1);
        }
    }

    private Path more(String option) {
        daemon = DaemonProcess.serving(folder.resolve("second"), share, option);
        return daemon.socket();
    }

    /// With `--socket-group`, the members of a group may connect as well.
    @Test
    void theSocketCanBelongToAGroup() throws Exception {
        daemon = DaemonProcess.serving(folder.resolve("daemon"), share, "--socket-group=daemon");

        assertEquals("rwxrwx---", PosixFilePermissions.toString(Files.getPosixFilePermissions(daemon.socket())));
        assertEquals(
                "daemon", Files.getAttribute(daemon.socket(), "posix:group").toString());

        DaemonProcess refused = DaemonProcess.run(
                folder.resolve("refused"),
                "--shared-dir=" + share,
                "--socket-path=" + folder.resolve("refused/socket"),
                "--socket-group=nobody-has-this-group");
        assertEquals(1, refused.exitCode());
        assertTrue(
                refused.err().contains("--socket-group=nobody-has-this-group: there is no such group"), refused.err());
        assertFalse(Files.exists(refused.socket()));
    }
}
