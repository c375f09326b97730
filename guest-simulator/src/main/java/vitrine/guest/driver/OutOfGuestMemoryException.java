package vitrine.guest.driver;

/// The driver has no memory left for a request: it is larger than all of it.
public final class OutOfGuestMemoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /// @param wanted bytes asked for, in one piece
    /// @param free bytes free, in any pieces
    public OutOfGuestMemoryException(long wanted, long free) {
        super("no " + wanted + " bytes of guest memory in one piece; " + free + " are free in all");
    }
}
