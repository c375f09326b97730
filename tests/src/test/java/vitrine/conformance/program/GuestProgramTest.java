package vitrine.conformance.program;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import vitrine.conformance.rules.Needs;
import vitrine.guest.program.RealGuest;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.GuestKernel;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.NewerSoftware;
import vitrine.guest.qemu.PackageCache;

/// Programs in real guests, one boot for all of them.
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class GuestProgramTest {

    private static Stream<DynamicTest> in(Hardware hardware, String version, boolean dax) throws Exception {
        Needs.root();
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        Needs.tool("gcc", "gcc libc6-dev");
        return Performances.all(new RealGuest(hardware, version, dax))
                .map(performance -> DynamicTest.dynamicTest(
                        performance.program().name(), () -> Performances.requireAsExpected(performance)));
    }

    /// Each step of each program sends what it should, with the kernel of Debian 12.
    ///
    /// Seen to catch: files of a program made by a thread that had given up the right to set a
    /// set-group-ID bit.
    @TestFactory
    Stream<DynamicTest> eachProgramSendsWhatItShould() throws Exception {
        return in(Hardware.small(), "6.1", false);
    }

    /// And with a newer one, where it was fetched.
    @TestFactory
    Stream<DynamicTest> aNewerKernelToo() throws Exception {
        try {
            GuestKernel.prepare("6.12", PackageCache.ofUser(System.out::println));
        } catch (GuestFailedException none) {
            Needs.rare(false, none.getMessage());
        }
        return in(Hardware.small().under("6.12"), "6.12", false);
    }

    /// And through a DAX window, in a QEMU that has room for one.
    @TestFactory
    Stream<DynamicTest> throughADaxWindow() throws Exception {
        NewerSoftware newer = NewerSoftware.ofUser();
        Needs.rare(newer.isPrepared(), "no newer QEMU for a DAX window: ./vitrine qemu --setup-newer");
        return in(Hardware.small().in(newer.qemu().toString()), "6.1", true);
    }
}
