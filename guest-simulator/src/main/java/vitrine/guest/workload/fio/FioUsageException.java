package vitrine.guest.workload.fio;

/// A command line of fio's that cannot be done here: the message says which word of it, and why.
public final class FioUsageException extends Exception {

    private static final long serialVersionUID = 1L;

    FioUsageException(String message) {
        super(message);
    }
}
