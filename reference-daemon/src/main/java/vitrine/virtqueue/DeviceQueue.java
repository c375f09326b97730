package vitrine.virtqueue;

import java.util.Optional;

/// A virtqueue from the device's side: take requests, give them back, sleep without missing any.
///
/// The loop of whoever serves a queue, and the reason why [#askForKick()] has an answer:
///
/// ```
/// do {
///     refuseKicks();
///     while ((chain = pop()) is present) {
///         push(chain.head(), serve(chain));
///     }
///     if (driverWantsCall()) call.signal();
/// } while (askForKick());      // true: something came in before the driver could see the wish
/// kick.await();
/// ```
///
/// A queue belongs to one thread at a time. Chains may go back in any order: one that cannot be
/// answered yet is kept, the next ones are served, and the same thread pushes it when it can.
public interface DeviceQueue {

    /// Takes the next request, or returns empty when there is none.
    ///
    /// @throws BrokenChainException if this one request is malformed: push its head with 0 bytes
    /// @throws BrokenQueueException if the ring cannot be believed any more: stop
    Optional<DescriptorChain> pop() throws BrokenQueueException, BrokenChainException;

    /// Whether a request is there, without taking it: for a device that looks for a while before it
    /// asks for a kick.
    boolean waiting();

    /// Gives a chain back to the driver, in any order, once.
    ///
    /// @param head from [DescriptorChain#head()] or [BrokenChainException#head()]
    /// @param written how many bytes, from the first writable one on, were written
    void push(int head, long written);

    /// Whether the driver is to be called for what was pushed since this was last asked. Ask after
    /// a batch of pushes, and call if it says so.
    boolean driverWantsCall();

    /// Says that the device is about to sleep and wants a kick for the next request. Returns true
    /// if one is there already: then no kick may come, and the device must not sleep.
    boolean askForKick();

    /// Says that the device is awake and looks by itself, so that kicks would be wasted.
    void refuseKicks();

    /// The number of entries in the ring.
    int size();

    /// Where another back end can take the queue over (vhost-user: "VHOST_USER_GET_VRING_BASE"). Of
    /// a split queue, the index of the available entry that comes next, 0 to 65535.
    int base();
}
