package vitrine.guest.qemu;

/// A guest could not be prepared, did not boot, or ended before its command did.
///
/// The message is written for the person at the terminal: the first line says what went wrong,
/// further lines quote the last words of the console or of the daemon. A command that ran and
/// failed is *not* such a failure: its exit code is in [Result].
public class GuestFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    /// A failure that the message explains wholly; no stack trace, it would say nothing more.
    public GuestFailedException(String message) {
        super(message, null, false, false);
    }

    /// The guest was never heard of: with this accelerator, kernels do not boot here.
    static final class NoSignOfLife extends GuestFailedException {

        private static final long serialVersionUID = 1L;

        NoSignOfLife(String message) {
            super(message);
        }
    }
}
