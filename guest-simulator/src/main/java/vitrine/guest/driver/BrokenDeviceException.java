package vitrine.guest.driver;

/// The device put something into the used ring that cannot be: a chain that it does not have, or
/// more bytes than there was room for. The queue is of no use after that.
public final class BrokenDeviceException extends Exception {

    private static final long serialVersionUID = 1L;

    /// A device that broke a rule, and which.
    public BrokenDeviceException(String why) {
        super(why, null, false, false);
    }
}
