package vitrine.guest.qemu;

import java.time.Duration;
import picocli.CommandLine.Option;

/// The options that say which kernel a real guest has, and which QEMU plays it.
public final class HardwareOptions {

    @Option(
            names = "--kernel",
            paramLabel = "VERSION|PKG|PATH",
            defaultValue = Hardware.DEFAULT_KERNEL,
            description = "of a real guest: a version such as 6.12, or newest; a Debian package; a .deb; or a kernel's"
                    + " image with its modules in ../lib/modules (default: ${DEFAULT-VALUE})")
    private String kernel;

    @Option(
            names = "--qemu",
            paramLabel = "PROGRAM",
            defaultValue = Hardware.DEFAULT_QEMU,
            description = "by its path, or its name in PATH (default: ${DEFAULT-VALUE})")
    private String qemu;

    @Option(names = "--newer", description = "the QEMU that ./vitrine qemu --setup-newer has prepared")
    private boolean newer;

    /// A small guest so.
    ///
    /// @throws GuestFailedException if there is no such QEMU yet; the message says what to do
    public Hardware small(Duration timeout) throws GuestFailedException {
        return Hardware.small().under(kernel).in(program()).within(timeout);
    }

    private String program() throws GuestFailedException {
        if (!newer) {
            return qemu;
        }
        NewerSoftware prepared = NewerSoftware.ofUser();
        if (!prepared.isPrepared()) {
            throw new GuestFailedException("--newer needs what is not there yet: run ./vitrine qemu --setup-newer");
        }
        return prepared.qemu().toString();
    }
}
