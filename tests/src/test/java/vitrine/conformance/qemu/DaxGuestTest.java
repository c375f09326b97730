package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;

/// A real Linux guest that uses files through a DAX window, in a QEMU as it is shipped.
class DaxGuestTest {

    private static final int ODD = 10_007; // bytes: ends within a page

    @TempDir
    Path temporary;

    private Path share;

    private Result inGuest(Hardware hardware, String mode, String daemonOptions, String command) throws Exception {
        Needs.tool("gcc", "gcc libc6-dev");
        share = Files.createDirectory(temporary.resolve("share"));
        byte[] odd = new byte[ODD];
        for (int i = 0; i < ODD; i++) {
            odd[i] = (byte) (i % 251);
        }
        Files.write(share.resolve("odd"), odd);
        DaemonProgram daemon = DaemonProgram.of("ours", "--tag=share " + daemonOptions);
        return new QemuGuest(
                        hardware.with(program().toString()), Share.of(share).withDax(mode), daemon)
                .run(command);
    }

    private Path program() throws Exception {
        Path source = temporary.resolve("daxcheck.c");
        try (InputStream in = DaxGuestTest.class.getResourceAsStream("daxcheck.c")) {
            Files.copy(in, source);
        }
        Path program = temporary.resolve("daxcheck");
        KernelFiles.run(temporary, "gcc", "-static", "-o", program.toString(), source.toString());
        return program;
    }

    /// Reads, stores, writes, appends, sizes up and down, buffers in the window, and a file that is
    /// unlinked while it is mapped; the host has the same bytes and sizes at the end.
    ///
    /// Seen to catch: files handed over as they are, with their end (EIO at the first read).
    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void filesOfAnySizeAreUsedThroughTheWindow(String kernel) throws Exception {
        Hardware hardware = OtherKernelsTest.under(kernel, DaxHardware.needed());

        Result result = inGuest(hardware, "always", "--dax=always", temporary.resolve("daxcheck") + " check");

        assertEquals("all as it should be, dax\n", result.output(), result.errors());
        assertEquals(0, result.exitCode());
        assertEquals(9000, Files.size(share.resolve("odd")));
        assertEquals(4096, Files.size(share.resolve("copy")));
        byte[] bytes = Files.readAllBytes(share.resolve("odd"));
        for (int i = 0; i < 8192; i++) { // the second page is a copy of the first
            assertEquals((byte) (i % 4096 % 251), bytes[i]);
        }
        assertEquals(0, result.daemonStatus());
    }

    /// The same through a window of two ranges, which are taken from one piece for another all
    /// the time; and the daemon says which files.
    ///
    /// Seen to catch: Window.remove that answers without unmapping (QEMU then refuses what comes).
    @Test
    void theDaemonChoosesTheFilesAndAnyWindowIsLargeEnough() throws Exception {
        String daxcheck = temporary.resolve("daxcheck").toString();
        String command =
                daxcheck + " flag odd; echo small > small; " + daxcheck + " flag small; " + daxcheck + " check";

        Result result = inGuest(DaxHardware.needed(), "inode", "--dax=size=8K --dax-window=4M", command);

        assertEquals("dax\nplain\nall as it should be, dax\n", result.output(), result.errors());
    }
}
