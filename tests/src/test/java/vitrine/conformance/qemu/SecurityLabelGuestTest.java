package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;

/// Labels of a real guest's security module.
class SecurityLabelGuestTest {

    /// SELinux without a policy: so everything is `unlabeled`, and says so (`initial_sid_to_string`
    /// in Linux). BusyBox sets no attributes: the label can only have come with the request that
    /// made the file (fuse.h: FUSE_SECURITY_CTX).
    ///
    /// Caught: a label that is not set.
    @Test
    void whatIsMadeHasItsLabelFromTheStart(@TempDir Path share) throws Exception {
        Needs.root();
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        Needs.tool("getfattr", "attr");
        Needs.that(!Files.exists(Path.of("/sys/fs/selinux/enforce")), "this host has labels of its own");
        Hardware hardware = Hardware.small().booting("security=selinux selinux=1");
        DaemonProgram daemon = DaemonProgram.of("ours", "--security-label --modcaps=+sys_admin");

        Result guest = new QemuGuest(hardware, Share.of(share), daemon)
                .run("cd /mnt && echo x >file && mkdir directory && ln -s file link && mknod fifo p");

        assertEquals(0, guest.exitCode(), guest::errors);
        for (String name : new String[] {"file", "directory", "link", "fifo"}) {
            assertEquals("unlabeled", label(share.resolve(name)), name);
        }
    }

    private static String label(Path path) throws Exception {
        Process process = new ProcessBuilder(
                        "getfattr",
                        "-h",
                        "--absolute-names",
                        "--only-values",
                        "-n",
                        "security.selinux",
                        path.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return said.replace("\0", "").strip();
    }
}
