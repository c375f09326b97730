package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// How QEMU runs the guest's instructions.
enum Accelerator {
    /// By the processor itself: fast, but only where `/dev/kvm` may be used.
    KVM("kvm", "host", "KVM"),
    /// By translating them: works everywhere, and boots in about five seconds.
    TCG("tcg,thread=multi", "max", "TCG");

    // A virtual machine that offers KVM in turn does not always carry it through: QEMU starts, and
    // the guest never runs. That was seen, so it is remembered, until this machine boots anew.
    private static final String MARK = "kvm-does-not-boot";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    final String option;
    final String processor;
    final String title;

    Accelerator(String option, String processor, String title) {
        this.option = option;
        this.processor = processor;
        this.title = title;
    }

    /// Those worth a try on this machine, the best one first.
    static List<Accelerator> toTry(PackageCache cache) throws IOException {
        Path mark = cache.folder().resolve(MARK);
        boolean failedBefore = Files.exists(mark) && Files.readString(mark).equals(Files.readString(BOOT_ID));
        return failedBefore || !Files.isWritable(Path.of("/dev/kvm")) ? List.of(TCG) : List.of(KVM, TCG);
    }

    /// Notes that KVM does not carry a guest here.
    static void rememberThatKvmFails(PackageCache cache) throws IOException {
        Files.createDirectories(cache.folder());
        Files.writeString(cache.folder().resolve(MARK), Files.readString(BOOT_ID));
    }
}
