package vitrine.conformance.qemu;

import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;

/// The daemons that a real guest is tried with.
enum TestedDaemon {
    OURS("ours", "--xattr"),
    C("c", "-o xattr");

    private final String choice;
    private final String withAttributes;

    TestedDaemon(String choice, String withAttributes) {
        this.choice = choice;
        this.withAttributes = withAttributes;
    }

    /// Its command line, with extended attributes on; skips the test if it is not installed.
    DaemonProgram program() {
        try {
            return DaemonProgram.of(choice, withAttributes);
        } catch (GuestFailedException missing) {
            Needs.that(false, missing.getMessage());
            throw new IllegalStateException("never came here", missing);
        }
    }
}
