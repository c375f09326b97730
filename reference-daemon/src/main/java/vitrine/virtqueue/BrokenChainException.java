package vitrine.virtqueue;

/// The driver offered a chain that breaks a rule. Its memory must not be touched, but its head is
/// good: push it back with 0 bytes written, and the queue goes on with the next chain.
///
/// It costs a guest nothing to send these, so there is no stack trace to fill in.
public final class BrokenChainException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int head;

    /// A broken chain that starts at descriptor `head`, and the rule that it breaks.
    public BrokenChainException(int head, String why) {
        super("chain " + head + ": " + why, null, false, false);
        this.head = head;
    }

    /// The first descriptor of the chain, to be pushed back.
    public int head() {
        return head;
    }
}
