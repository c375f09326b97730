package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.passthrough.DaxMark;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;

/// A real Linux guest that uses files through a DAX window, in a QEMU as it is shipped.
class DaxGuestTest {

    private static final int ODD = 10_007; // bytes: ends within a page

    private static final String MARKS = """
            remount() { cd / && umount /mnt && mount -t virtiofs -o $1 share /mnt && cd /mnt; }
            for how in dax dax=always dax=inode rw dax=never; do
                remount $how
                echo $how: $(DAXCHECK flag marked plain)
            done
            remount dax=inode
            DAXCHECK direct marked direct
            DAXCHECK flag marked plain
            store() { dd if=/dev/zero of=grows bs=4096 count=$1 conv=notrunc 2>/dev/null && echo stored; }
            store 1 # at the end
            store 1 # in the window
            truncate -s 1M grows
            touch ready
            until [ -e go ]; do sleep 0.1; done
            store 256
            sleep 1.1 # as long as attributes are believed
            DAXCHECK flag marked plain
            DAXCHECK flag marked plain
            """;

    @TempDir
    private static Path program;

    private static Path daxcheck;

    @TempDir
    private Path temporary;

    private Path share;

    @BeforeAll
    static void compile() throws Exception {
        Needs.tool("gcc", "gcc libc6-dev");
        Path source = program.resolve("daxcheck.c");
        try (InputStream in = DaxGuestTest.class.getResourceAsStream("daxcheck.c")) {
            Files.copy(in, source);
        }
        daxcheck = program.resolve("daxcheck");
        KernelFiles.run(program, "gcc", "-static", "-o", daxcheck.toString(), source.toString());
    }

    @BeforeEach
    void makeShare() throws Exception {
        share = Files.createDirectory(temporary.resolve("share"));
    }

    private void makeOddFile() throws Exception {
        byte[] odd = new byte[ODD];
        for (int i = 0; i < ODD; i++) {
            odd[i] = (byte) (i % 251);
        }
        Files.write(share.resolve("odd"), odd);
    }

    private Result inGuest(Hardware hardware, String mode, String daemonOptions, String command) throws Exception {
        DaemonProgram daemon = DaemonProgram.of("ours", "--tag=share " + daemonOptions);
        return new QemuGuest(hardware.with(daxcheck.toString()), Share.of(share).withDax(mode), daemon).run(command);
    }

    /// Reads, stores, writes, appends, sizes up and down, buffers in the window, and a file that is
    /// unlinked while it is mapped; the host has the same bytes and sizes at the end. Beside it a
    /// program that is running on the host is read and executed, and not written to.
    ///
    /// Seen to catch: files handed over as they are, with their end (EIO at the first read);
    /// Window.order without a copy.
    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void filesOfAnySizeAreUsedThroughTheWindow(String kernel) throws Exception {
        Hardware hardware = OtherKernelsTest.under(kernel, DaxHardware.needed());
        makeOddFile();
        Path busy = Files.copy(daxcheck, share.resolve("busy"));
        Process running = new ProcessBuilder(busy.toString(), "wait").start();
        String command = "%s check; cmp busy %1$s && ./busy flag odd; (echo > busy) 2>&1 | sed 's/.*: //'";
        try {
            Result result = inGuest(hardware, "always", "--dax=always", command.formatted(daxcheck));

            assertEquals("all as it should be, dax\ndax\nText file busy\n", result.output(), result.errors());
            assertEquals(0, result.daemonStatus());
        } finally {
            running.destroy();
        }
        assertEquals(9000, Files.size(share.resolve("odd")));
        assertEquals(4096, Files.size(share.resolve("copy")));
        byte[] bytes = Files.readAllBytes(share.resolve("odd"));
        for (int i = 0; i < 8192; i++) { // the second page is a copy of the first
            assertEquals((byte) (i % 4096 % 251), bytes[i]);
        }
    }

    /// The same through a window of two ranges, which are taken from one piece for another all
    /// the time; and the daemon says which files.
    ///
    /// Seen to catch: Window.remove that answers without unmapping (QEMU then refuses what comes).
    @Test
    void theDaemonChoosesTheFilesAndAnyWindowIsLargeEnough() throws Exception {
        Hardware hardware = DaxHardware.needed();
        makeOddFile();
        String command = "%s flag odd; echo small > small; %1$s flag small; %1$s check".formatted(daxcheck);

        Result result = inGuest(hardware, "inode", "--dax=size=8K --dax-window=4M", command);

        assertEquals("dax\nplain\nall as it should be, dax\n", result.output(), result.errors());
    }

    /// Marks on the host (`chattr +x`), the newest kernel, each way to mount, and the daemon's
    /// options in their older spelling. Requests whose data lies in the window, both ways. Then
    /// somebody on the host changes the marks: the guest notices at its next look, and takes the
    /// other way from the one after that on. He fills the disk, too: the guest stores into what it
    /// had room for.
    ///
    /// Seen to catch: DaxFiles.flag that says so of each file; that asks for a mark once and for
    /// all; InodeOperations.truncate that makes no room (QEMU ends).
    @Test
    void theMarksOnTheHostDecide() throws Exception {
        Hardware hardware = OtherKernelsTest.under("newest", DaxHardware.needed());
        try (Mounted _ = Mounted.ext4(share)) {
            Path marked = Files.createFile(share.resolve("marked"));
            Path plain = Files.createFile(share.resolve("plain"));
            DaxMark.set(marked, true);
            DaxMark.set(Files.createFile(share.resolve("grows")), true);
            CompletableFuture<Void> administrator = CompletableFuture.runAsync(() -> markOtherwise(marked, plain));

            Result result = inGuest(
                    hardware, "inode", "-o dax=attr,dax_window=8M", MARKS.replace("DAXCHECK", daxcheck.toString()));

            administrator.cancel(true);
            assertEquals("""
                    dax: dax dax
                    dax=always: dax dax
                    dax=inode: dax plain
                    rw: dax plain
                    dax=never: plain plain
                    direct, dax, plain
                    dax plain
                    stored
                    stored
                    stored
                    dax plain
                    plain dax
                    """, result.output(), result.errors());
        }
    }

    /// Waits for the guest, marks one for the other, fills the disk, and lets the guest go on.
    private void markOtherwise(Path marked, Path plain) {
        try {
            while (!Files.exists(share.resolve("ready"))) {
                Thread.sleep(50);
            }
            DaxMark.set(marked, false);
            DaxMark.set(plain, true);
            new Mounted(share).fill();
            Files.createFile(share.resolve("go"));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
