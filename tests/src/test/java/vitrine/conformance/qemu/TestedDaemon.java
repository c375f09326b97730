package vitrine.conformance.qemu;

import java.io.IOException;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;

/// The daemons that guests are tried with, real ones and ours.
public enum TestedDaemon {
    OURS("ours", "--xattr"),
    C("c", "-o xattr"),
    RUST("rust", "--xattr");

    private final String choice;
    private final String withAttributes;

    TestedDaemon(String choice, String withAttributes) {
        this.choice = choice;
        this.withAttributes = withAttributes;
    }

    /// How it is started, with extended attributes on; skips the test if it is not installed.
    public DaemonProgram program() throws IOException, InterruptedException {
        try {
            return DaemonProgram.of(choice, withAttributes);
        } catch (GuestFailedException missing) {
            if (this == RUST) {
                Needs.rare(false, missing.getMessage());
            }
            Needs.that(false, missing.getMessage());
            throw new IllegalStateException("never came here", missing);
        }
    }
}
