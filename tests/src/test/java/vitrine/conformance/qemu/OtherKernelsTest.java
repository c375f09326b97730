package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.GuestKernel;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.NewerSoftware;
import vitrine.guest.qemu.PackageCache;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;

/// Guests with older and newer kernels than this machine's, each with two processors and a queue
/// for either, each booted once.
class OtherKernelsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String OPTIONS = "--xattr --posix-lock --flock --num-request-queues=2";

    @TempDir
    static Path program;

    @TempDir
    Path folder;

    /// A kernel, and which of the programs in `unusual.c` it knows how to serve over FUSE.
    enum Kernel {
        LINUX_6_1("6.1", "nameless flags append locks many"), // births since 6.6, mapped mounts since 6.12
        LINUX_6_12("6.12", "nameless birth flags append locks mapped many"),
        NEWEST("newest", "nameless birth flags append locks mapped many");

        private final String version;
        private final String programs;

        Kernel(String version, String programs) {
            this.version = version;
            this.programs = programs;
        }

        private Hardware hardware() throws IOException, InterruptedException {
            NewerSoftware newer = NewerSoftware.ofUser();
            Hardware hardware = under(version, Hardware.small()).onCpus(2).within(PATIENCE);
            return newer.isPrepared() ? hardware.in(newer.qemu().toString()) : hardware;
        }
    }

    /// Hardware that runs a version of Linux; skips the test if no such kernel can be had.
    static Hardware under(String version, Hardware hardware) throws IOException, InterruptedException {
        try {
            GuestKernel.prepare(version, PackageCache.ofUser(System.out::println));
        } catch (GuestFailedException none) {
            Needs.rare(false, none.getMessage());
        }
        return hardware.under(version);
    }

    @BeforeAll
    static void compiled() throws Exception {
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        Needs.tool("busybox", "busybox-static");
        Needs.tool("gcc", "gcc");
        Needs.root();
        Path source = Files.writeString(program.resolve("unusual.c"), DaysWork.resource("unusual.c"));
        var gcc = DaysWork.run(program, "gcc", "-static", "-o", "unusual", source.toString());
        assertEquals(0, gcc.status(), gcc.output());
    }

    /// A day's work and what few programs do (files without a name, times of birth, file flags,
    /// appending beside a mapping, locks, mounts that map identities, many at once) come out as on
    /// the host, under every kernel, with requests in two queues.
    ///
    /// Caught: a daemon without TMPFILE, without STATX, without IOCTL, without ALLOW_IDMAP.
    @ParameterizedTest
    @EnumSource
    void whatAProgramSeesIsTheSameUnderEveryKernel(Kernel kernel) throws Exception {
        Path share = DaysWork.place(folder.resolve("share"));
        Path twin = DaysWork.place(folder.resolve("twin"));
        Hardware hardware = kernel.hardware().with(program.resolve("unusual").toString(), "setfattr", "getfattr");
        DaemonProgram daemon = DaemonProgram.of("ours", OPTIONS);
        String unusual = "\nmkdir /mnt/unusual; cd /mnt/unusual; " + program.resolve("unusual") + " " + kernel.programs;

        Result inTheGuest = new QemuGuest(hardware, Share.of(share).withQueues(Share.Queues.USUAL.of(2)), daemon)
                .run(DaysWork.script() + unusual);
        DaysWork.OnHost work = DaysWork.onHost(twin);
        DaysWork.OnHost unusualWork = DaysWork.run(
                Files.createDirectory(twin.resolve("unusual")),
                "sh",
                "-c",
                program.resolve("unusual") + " " + kernel.programs);

        assertEquals(work.output() + unusualWork.output(), inTheGuest.output(), inTheGuest::errors);
        assertEquals("", DaysWork.firstDifferences(twin, share));
        assertTrue(inTheGuest.exitCode() == 0 && inTheGuest.daemonStatus() == 0, inTheGuest::errors);
    }
}
