package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.Fcntl;

/// A simulated guest with the daemon's window, in two processes: each has mapped the same pages.
@Timeout(60)
class DaxDaemonTest {

    @TempDir
    private Path directory;

    /// What the guest stores, the host has; what the host writes, the guest loads; and the file is
    /// as long as the guest made it, in a window of two ranges.
    @Test
    void bothProcessesSeeTheSamePages() throws Exception {
        EndlessHost.needed().close();
        Path share = Files.createDirectory(directory.resolve("share"));
        try (DaemonProcess daemon = DaemonProcess.serving(
                        directory.resolve("daemon"), share, "--tag=share", "--dax=always", "--dax-window=4M");
                Machine machine = Machine.connect(daemon.socket(), MachineOptions.DEFAULT.withDax(DaxMode.ALWAYS))) {
            GuestProcess program = machine.rootProgram();
            int fd = program.open("/f", Fcntl.O_RDWR | Fcntl.O_CREAT, 0600);
            byte[] bytes = new byte[5_000_003];
            new Random(1).nextBytes(bytes);
            program.pwrite(fd, new byte[bytes.length], 0);

            program.pwrite(fd, bytes, 0); // through the window

            assertArrayEquals(bytes, Files.readAllBytes(share.resolve("f")));
            Arrays.fill(bytes, (byte) 'h');
            Files.write(share.resolve("f"), bytes);
            assertArrayEquals(bytes, program.pread(fd, bytes.length, 0));
            assertEquals(bytes.length, Files.size(share.resolve("f")));
        }
    }
}
