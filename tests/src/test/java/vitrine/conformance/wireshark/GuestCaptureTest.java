package vitrine.conformance.wireshark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.JarredClassPath;
import vitrine.conformance.rules.Needs;
import vitrine.daemon.Main;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;
import vitrine.guest.qemu.ShellWords;

/// A capture of a daemon that served Linux in QEMU.
class GuestCaptureTest {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private Path folder;

    /// What Linux did is found by the same filters, and nothing in it is called damaged: its
    /// handshake, the file that it made, the write into it, and what that was on the host.
    ///
    /// Caught: the older form of SETXATTR, which Linux sends, taken for the newer.
    @Test
    void whatARealGuestDidIsFoundByTheSameFilters() throws Exception {
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        Needs.tool("busybox", "busybox-static");
        Needs.root();
        Tshark tshark = new Tshark(folder);
        Path share = Files.createDirectory(folder.resolve("share"));
        Path capture = folder.resolve("run.pcapng");

        Result result = new QemuGuest(
                        Hardware.small().with("setfattr").within(PATIENCE), Share.of(share), daemon(capture))
                .run("printf hello > file; setfattr -n user.colour -v red file; cat file; ls; cat nowhere; true");
        assertEquals(0, result.exitCode(), result.errors());

        List<Long> found = tshark.counts(
                capture,
                "fuse.opcode == \"INIT\" && fuse.init_in.major == 7",
                "fuse.init_out.flags.init_ext == 1",
                "fuse.opcode == \"CREATE\" && fuse.name == \"file\"",
                "fuse.opcode == \"WRITE\" && fuse.nodeid > 1 && fuse.write_in.size == 5",
                "vitrine.syscall.name == \"pwritev2\" && vitrine.syscall.result == 5",
                "fuse.opcode == \"SETXATTR\" && fuse.value == 72:65:64",
                "fuse.opcode == \"LOOKUP\" && fuse.error == \"ENOENT\"",
                "vhostuser.name == \"SET_MEM_TABLE\" || vhostuser.name == \"ADD_MEM_REG\"",
                "vitrine.notified.signal",
                "vitrine.damaged");
        assertEquals(List.of(1L, 1L, 1L, 1L, 1L, 1L), found.subList(0, 6));
        assertTrue(found.subList(6, 9).stream().allMatch(count -> count >= 1), () -> "" + found);
        assertEquals(0, found.getLast());
    }

    /// The daemon of this class path.
    private static DaemonProgram daemon(Path capture) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                JarredClassPath.get(),
                Main.class.getName(),
                "--socket-path={socket}",
                "--shared-dir={dir}",
                "--xattr",
                "--capture=" + capture);
        return DaemonProgram.of(ShellWords.quote(command), "");
    }
}
