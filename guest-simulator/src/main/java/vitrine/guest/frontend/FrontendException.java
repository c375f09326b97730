package vitrine.guest.frontend;

/// The back end did not do as the front end asked: it refused, answered nonsense, left, or said
/// nothing for too long. The message names the request.
public final class FrontendException extends Exception {

    private static final long serialVersionUID = 1L;

    /// @param what which request, and what came of it
    public FrontendException(String what) {
        super(what);
    }

    /// @param what which request
    /// @param cause what came of it
    public FrontendException(String what, Throwable cause) {
        super(what + ": " + cause.getMessage(), cause);
    }
}
