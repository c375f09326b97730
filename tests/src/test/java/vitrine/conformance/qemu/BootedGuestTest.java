package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.Share;
import vitrine.guest.workload.BootedGuest;
import vitrine.guest.workload.fio.FioSlice;

/// A real guest that stays on between two lines of shell, so that two of them can work in turns.
class BootedGuestTest {

    /// Each line has its own output and status; what a line leaves in the share stays; and the real
    /// fio finds what it needs. At the end the guest is gone, and says so.
    ///
    /// Caught: a shell that ends with the first line that fails; a line that eats the next one from
    /// standard input; the word behind the output taken for output.
    @Test
    void oneLineAfterTheOtherIsDone(@TempDir Path share) throws Exception {
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        Needs.tool("busybox", "busybox-static");
        Needs.tool("fio", "fio");
        Needs.root();
        Hardware hardware = Hardware.small().with("fio").within(Duration.ofMinutes(4));

        BootedGuest guest = BootedGuest.boot(hardware, Share.of(share), TestedDaemon.OURS.program(), _ -> {});
        try (guest) {
            assertEquals(new BootedGuest.Answer(3, "a\nb"), guest.run("echo a; echo b >&2; exit 3"));
            assertEquals(new BootedGuest.Answer(0, ""), guest.run("cat; echo kept > f"));
            assertEquals(new BootedGuest.Answer(0, "kept"), guest.run("cat f"));
            double mib =
                    FioSlice.of("--name=x --rw=randwrite --bs=4k --size=1M").inGuest(guest, Duration.ofMillis(200));
            assertTrue(mib > 0, () -> mib + " MiB/s");
        }

        assertEquals("kept\n", Files.readString(share.resolve("f")));
        assertThrows(IOException.class, () -> guest.run("echo late"));
    }
}
