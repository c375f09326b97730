package vitrine.wire;

/// The bytes do not say what the protocol wants them to say; the message tells how.
///
/// Such bytes come from a guest or a peer, who may send anything, so this is an ordinary result of
/// reading and not a fault of ours: it is checked, and it carries no stack trace (which would cost
/// more than the reading itself, as often as a hostile guest likes).
public final class MalformedException extends Exception {

    private static final long serialVersionUID = 1L;

    /// Says `what` is wrong with the bytes, in words for a log.
    public MalformedException(String what) {
        super(what, null, false, false);
    }
}
