package vitrine.trace;

/// What joins one event to others that tell of the same thing.
///
/// The guest and the daemon never see each other's objects. They share three numbers that travel
/// with a request anyway, and the numbers of the guest's system calls join two runs to compare.
///
/// @param queue the index of the virtqueue (0 is the high-priority queue), or -1
/// @param head the index of the first descriptor of the chain, or -1: joins ring and request
/// @param unique the request's own number (fuse.h: `fuse_in_header.unique`), or 0: joins guest and
///     daemon
/// @param guestCall the number of the guest's system call, counted from 1, or 0
public record Keys(int queue, int head, long unique, long guestCall) {

    /// Joined to nothing.
    public static final Keys NONE = new Keys(-1, -1, 0, 0);

    /// Whatever happens on one virtqueue.
    public static Keys ofQueue(int queue) {
        return NONE.withQueue(queue);
    }

    /// Whatever serves one request.
    public static Keys ofUnique(long unique) {
        return NONE.withUnique(unique);
    }

    /// Whatever one system call of the guest brings about.
    public static Keys ofGuestCall(long guestCall) {
        return NONE.withGuestCall(guestCall);
    }

    /// The same keys with another queue.
    public Keys withQueue(int queue) {
        return new Keys(queue, head, unique, guestCall);
    }

    /// The same keys with another head.
    public Keys withHead(int head) {
        return new Keys(queue, head, unique, guestCall);
    }

    /// The same keys with another request.
    public Keys withUnique(long unique) {
        return new Keys(queue, head, unique, guestCall);
    }

    /// The same keys with another system call of the guest.
    public Keys withGuestCall(long guestCall) {
        return new Keys(queue, head, unique, guestCall);
    }
}
