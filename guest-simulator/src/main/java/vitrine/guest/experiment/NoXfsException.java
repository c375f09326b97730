package vitrine.guest.experiment;

/// There can be no XFS here; the message says what is missing.
final class NoXfsException extends Exception {

    private static final long serialVersionUID = 1;

    NoXfsException(String message) {
        super(message);
    }
}
