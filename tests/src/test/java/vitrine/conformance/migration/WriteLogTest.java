package vitrine.conformance.migration;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static vitrine.conformance.migration.MovedGuest.SYS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.guest.Device;
import vitrine.guest.MachineOptions;
import vitrine.guest.driver.FuseQueue;
import vitrine.guest.driver.GuestPages;
import vitrine.guest.driver.RequestQueue;
import vitrine.guest.driver.VirtioFsDriver;
import vitrine.guest.frontend.WriteLog;
import vitrine.guest.kernel.GuestClock;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.DaxMount;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.guest.kernel.linux.LinuxKernel;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;

/// The log of writes, by which a guest is copied while it runs.
class WriteLogTest {

    @TempDir
    Path host;

    /// Each page that a request's reply has changed is in the log when the reply is there, of
    /// rings of either kind, with data that the host's kernel has put there. Beside the replies
    /// only rings are written to: of a split queue its used ring, of a packed one descriptors and
    /// wishes, a page each.
    ///
    /// Seen to catch: QueueWorker.push without GuestMemory.wrote; Ring without LoggedMemory for the
    /// used ring, for packed descriptors; DirtyLog.mark without the last page.
    @ParameterizedTest
    @CsvSource({"false, true, 2", "false, false, 2", "true, true, 4", "true, false, 4"})
    void whatTheDeviceWritesToIsInTheLog(boolean packed, boolean eventIndex, int ringPages) throws Exception {
        byte[] data = new byte[300_000];
        new Random(1).nextBytes(data);
        Files.write(host.resolve("data"), data);
        MachineOptions options = MachineOptions.DEFAULT.withPacked(packed).withEventIndex(eventIndex);
        try (PassthroughFs fs = new PassthroughFs(SYS, host.toString(), PassthroughOptions.DEFAULT);
                Device device = Device.inProcess(fs, options);
                WriteLog log = device.beginLog()) {
            BitSet logged = new BitSet();
            List<NotedWrites> queues = new ArrayList<>();
            for (int index = 0; index < 2; index++) {
                RequestQueue queue = new FuseQueue(
                        device.driverQueue(index, options),
                        device.lines().get(index).doorbell(),
                        Duration.ofSeconds(10));
                queues.add(new NotedWrites(queue, device, log, logged));
            }
            LinuxKernel kernel = kernel(device, queues);
            GuestProcess program = new GuestProcess(kernel, Task.root(2));

            int file = program.open("/data", Fcntl.O_RDONLY | Fcntl.O_DIRECT);
            assertArrayEquals(data, program.read(file, 300_000));
            program.mkdir("/made", 0755);
            assertEquals(4, program.readdir("/").size());
            program.close(file);
            program.unlink("/data");
            program.rmdir("/made");
            kernel.close();

            assertEquals(ringPages, queues.get(1).ringPages());
        }
    }

    private static LinuxKernel kernel(Device device, List<NotedWrites> queues) throws Exception {
        long bytes = 16 << 20;
        long pool = device.ram().reserve(bytes, GuestPages.PAGE);
        GuestPages pages = new GuestPages(pool, device.ram().reserved(pool, bytes), false);
        VirtioFsDriver driver =
                new VirtioFsDriver(queues.getFirst(), List.copyOf(queues.subList(1, queues.size())), pages, 128);
        LinuxKernel kernel = new LinuxKernel(
                driver,
                KernelProfile.LINUX_6_1,
                GuestClock.HOST,
                new DaxMount(null, DaxMode.NEVER, ExtendingWrite.WRITE),
                Decisions.UNHEARD);
        kernel.mount();
        return kernel;
    }
}
