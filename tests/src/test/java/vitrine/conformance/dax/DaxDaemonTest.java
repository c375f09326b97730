package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.dax.DaxPolicy;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// The daemon's side of a simulated guest's window: the same pages in two processes, and a front
/// end that refuses.
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

    /// A file that is handed over as it is has an end, and the front end maps nothing behind it
    /// (docs/dax.md). The read fails, and no more: the slot is free, and the mount lives.
    ///
    /// Seen to catch: WindowRanges.setUp that does not give the slot back.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusedMappingIsAnErrorOfOneCall(boolean socket) throws Exception {
        Files.write(directory.resolve("odd"), new byte[10_007]);
        Files.write(directory.resolve("even"), new byte[(int) DaxGuest.RANGE]);
        DaxGuest.Share asTheyAre =
                new DaxGuest.Share(SYS::dup, directory, 1, PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()));
        DaxGuest.Boot boot = socket ? Machine::inProcess : Machine::stepped;
        try (DaxGuest guest = new DaxGuest(asTheyAre, MachineOptions.DEFAULT.withDax(DaxMode.ALWAYS), boot)) {
            int odd = guest.program.open("/odd", Fcntl.O_RDWR);
            int even = guest.program.open("/even", Fcntl.O_RDWR);
            for (int i = 0; i < 3; i++) {
                int errno = assertThrows(ErrnoException.class, () -> guest.program.pread(odd, 10, 0))
                        .errno();
                assertEquals(socket ? Errno.EIO : Errno.EINVAL, errno);
            }
            assertEquals(10, guest.program.pread(even, 10, 0).length);
            assertEquals(10_007, guest.program.fstat(odd).size());
        }
    }
}
