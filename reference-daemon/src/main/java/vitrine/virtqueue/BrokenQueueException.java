package vitrine.virtqueue;

/// The available ring itself makes no sense, so nothing read from it can be believed. The queue
/// stops until the driver sets it up anew; other queues are not concerned.
public final class BrokenQueueException extends Exception {

    private static final long serialVersionUID = 1L;

    /// A broken queue, and what is wrong with it.
    public BrokenQueueException(String why) {
        super(why, null, false, false);
    }
}
