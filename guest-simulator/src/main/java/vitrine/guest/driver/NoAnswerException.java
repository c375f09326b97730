package vitrine.guest.driver;

/// The device does not answer any more, or answers what no driver can believe.
///
/// A real guest would hang here for ever. For a test that is no result, so the driver gives up.
public final class NoAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /// @param message what was waited for, and for how long
    public NoAnswerException(String message) {
        super(message);
    }

    /// @param message what was waited for
    /// @param cause what the device did instead
    public NoAnswerException(String message, Exception cause) {
        super(message, cause);
    }
}
