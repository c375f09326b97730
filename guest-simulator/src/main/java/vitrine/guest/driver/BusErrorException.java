package vitrine.guest.driver;

/// A program has touched memory behind which there is nothing: `SIGBUS`, if it is not the kernel
/// that did it for the program.
public final class BusErrorException extends Exception {

    private static final long serialVersionUID = 1L;

    /// @param what what was touched, and why nothing is there
    public BusErrorException(String what) {
        super(what);
    }
}
