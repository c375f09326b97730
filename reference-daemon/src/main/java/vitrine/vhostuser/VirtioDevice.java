package vitrine.vhostuser;

import java.util.Optional;
import vitrine.memory.Mapper;
import vitrine.posix.ErrnoException;

/// A device that serves virtqueues: what a back end is there for.
///
/// All methods are called by the one thread that runs [Backend#run], so a device needs no lock
/// between them. The threads that serve the rings are the device's own business.
public interface VirtioDevice {

    /// The virtio feature bits that the device can do: ring features and its own, without
    /// [Features#PROTOCOL_FEATURES], which belongs to vhost-user and is added by the back end.
    long features();

    /// How many virtqueues there are, all kinds together. Never changes.
    int queueCount();

    /// The device's configuration space as the driver is to see it (virtio 1.3, 2.5), at most
    /// `Payload.Config.LARGEST` bytes. Empty if the front end is to make it up: then it is not
    /// offered.
    byte[] config();

    /// Begins to serve a ring, and looks at it once without waiting for a kick: the driver may
    /// have kicked before the ring was enabled, and may not do so again.
    ///
    /// @param vring the ring; its parts are valid until [#stop] has returned
    /// @throws ErrnoException if the host has no means to wait for kicks; the ring is not started
    void start(Vring vring) throws ErrnoException;

    /// Ends the service of a ring. Requests that were taken off it are finished first; when this
    /// returns, nobody touches the ring or the buffers of its requests any more.
    ///
    /// @param index a ring that was started and has not been stopped since
    /// @return the next index of the available ring that has not been taken, 0 to 65535
    int stop(int index);

    /// How large a window the device has in the guest's memory, in bytes: a power of two, or 0 for
    /// none (virtio 1.3, 2.10). Never changes.
    long windowSize();

    /// The front end has made room for the window, and fills it when it is asked to. From now on,
    /// until the connection ends.
    ///
    /// @param mapper null when it ends
    void useWindow(Mapper mapper);

    /// What the device remembers, if it can be moved to another back end. Always the same, and if
    /// there is one it is so for life.
    default Optional<DeviceState> state() {
        return Optional.empty();
    }

    /// Forgets everything that a driver did: the state is that of a device never used. No ring is
    /// being served (vhost-user: `VHOST_USER_RESET_DEVICE`).
    void reset();
}
