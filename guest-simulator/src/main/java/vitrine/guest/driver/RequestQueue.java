package vitrine.guest.driver;

import java.util.List;
import vitrine.fuse.FuseRequest;

/// A virtqueue as the driver uses it: add a request, kick, wait. What watches requests on their way
/// into the ring wraps it.
public interface RequestQueue {

    /// A chain that the device has, or has given back.
    final class Pending {

        boolean done;
        int head;
        long written;

        /// A chain that has yet to be added.
        Pending() {}

        /// The chain's first descriptor: joins the request with what the ring shows.
        public int head() {
            return head;
        }

        /// How many bytes the device wrote, once it is done.
        public long written() {
            return written;
        }
    }

    /// Offers a chain to the device. Waits while the queue is full.
    ///
    /// @param request what lies in the chain
    /// @param readable what the device may read, in order
    /// @param writable where the device may write, in order
    /// @throws NoAnswerException if the queue stays full
    Pending add(FuseRequest request, List<GuestRange> readable, List<GuestRange> writable);

    /// Kicks the device, if it sleeps and does not yet know of what was added.
    ///
    /// @return whether that was necessary
    boolean kick();

    /// Whether the device has given the chain back. Does not wait.
    boolean isBack(Pending pending);

    /// Waits until the device has given the chain back.
    ///
    /// @param request what is waited for, for the message if it does not come
    /// @throws NoAnswerException if it does not come in time
    void await(FuseRequest request, Pending pending);
}
