package vitrine.migration;

/// A guest cannot be moved; the message says why, and what to do about it.
public final class CannotMoveException extends Exception {

    private static final long serialVersionUID = 1;

    /// @param message for the log of the daemon
    public CannotMoveException(String message) {
        super(message, null, false, false);
    }
}
