package vitrine.guest.driver;

import java.time.Duration;
import vitrine.posix.ErrnoException;

/// How the driver reaches the device, and the device the driver: one for each queue.
///
/// With a device behind a socket these are two eventfds. In the stepped machine a kick *is* the
/// device's work: it returns when the queue is served.
public interface Doorbell {

    /// Tells the device to look at the queue (virtio 1.3, 2.7.13.4).
    void kick() throws ErrnoException;

    /// Waits until the device calls.
    ///
    /// @return false if it did not within this time
    boolean awaitCall(Duration limit) throws ErrnoException;
}
