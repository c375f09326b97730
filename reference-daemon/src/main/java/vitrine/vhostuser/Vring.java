package vitrine.vhostuser;

import vitrine.memory.GuestMemory;
import vitrine.posix.EventFd;
import vitrine.virtqueue.DeviceQueue;

/// A virtqueue that is ready to be served: started, enabled, and its three areas found in memory.
///
/// The front end may exchange the call and error descriptors while the ring runs. `call` and
/// `error` follow: signal them as if nothing had happened. A new kick descriptor instead stops the
/// ring and starts it again.
///
/// @param index the queue's number
/// @param queue the device's side of the ring, at the index where it was left
/// @param kick what the driver signals when it has made requests available
/// @param call what the driver listens to; signalling does nothing while it chose not to
/// @param error signalled when the ring turns out to be broken
/// @param memory where descriptors point to; to be entered while a request's buffers are touched
public record Vring(int index, DeviceQueue queue, EventFd kick, EventFd call, EventFd error, GuestMemory memory) {}
