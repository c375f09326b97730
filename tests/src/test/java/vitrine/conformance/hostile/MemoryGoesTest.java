package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.virtqueue.Descriptor.NEXT;
import static vitrine.virtqueue.Descriptor.WRITE;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.fuse.FileRequest;
import vitrine.fuse.struct.ReadIn;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.hostile.LyingDriver;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Fcntl;
import vitrine.virtqueue.Descriptor;

/// Memory that is unplugged while the device works in it.
class MemoryGoesTest {

    private static final int REQUESTS = 60;
    private static final int READ = 1 << 20;
    private static final RamLayout.Range DIMM = new RamLayout.Range(1L << 30, 16L << 20);

    @TempDir
    Path temporary;

    /// vhost-user: VHOST_USER_REM_MEM_REG. A request that is being served is finished in the memory
    /// that it began with; one that comes later finds no memory and goes back empty. None is lost, and
    /// nobody touches what is gone.
    ///
    /// Caught: `memory.enter` removed from `QueueWorker.serveOne` (requests fail in the middle, or are
    /// never returned).
    @Test
    void memoryMayGoWhileRequestsAreUnderWay() throws Exception {
        try (Attack attack = new Attack(Victim.Kind.DAEMON, temporary)) {
            Files.write(attack.share.resolve("file"), new byte[READ]);
            long file = attack.lookup(Attack.ROOT, "file");
            long fh = attack.open(file, Fcntl.O_RDONLY);
            DaemonVictim victim = (DaemonVictim) attack.victim;
            LyingDriver driver = attack.driver();
            int whole = 0;
            int empty = 0;

            for (int round = 0; round < 10; round++) {
                GuestRam.Piece dimm = victim.frontend.plug(DIMM);
                driver.place(Attack.bytes(new FileRequest.Read(attack.header(file), new ReadIn(fh, 0, READ, 0, 0, 0))));
                for (int i = 0; i < REQUESTS; i++) {
                    driver.post(
                            2 * i,
                            List.of(
                                    new Descriptor(driver.request(), 80, NEXT, 2 * i + 1),
                                    new Descriptor(DIMM.start() + 8192 * i, 16 + READ, WRITE, 0)));
                }
                victim.frontend.unplug(dimm);
                for (int i = 0; i < REQUESTS; i++) {
                    Returned returned = driver.await().orElseThrow();
                    assertTrue(returned.isEmpty() || returned.written() == 16 + READ, returned.written() + " bytes");
                    whole += returned.isEmpty() ? 0 : 1;
                    empty += returned.isEmpty() ? 1 : 0;
                }
                attack.verifyNothingIsHarmed();
            }

            assertEquals(10 * REQUESTS, whole + empty);
            assertTrue(empty > 0, "the memory was always gone too late for this test to say anything");
        }
    }
}
