package vitrine.guest.driver;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import vitrine.virtqueue.Descriptor;

/// A virtqueue from the driver's side: the mirror of `DeviceQueue`.
///
/// Like Linux, the driver never reads a descriptor back: the device could have changed it, so it
/// keeps its own notes of what it gave away ([Given]).
///
/// A queue belongs to one thread at a time.
///
/// @param <T> what the driver knows its requests by
public interface DriverQueue<T> {

    /// Offers a chain to the device and returns its head, or empty if there are not enough free
    /// descriptors: try again when a chain has come back. A device that is awake may start at once;
    /// one that sleeps must be kicked, so ask [#deviceWantsKick()] after a batch.
    ///
    /// The request bytes must have been written.
    ///
    /// @param readable what the device may read, in order
    /// @param writable where the device may write, in order
    OptionalInt add(List<GuestRange> readable, List<GuestRange> writable, T token);

    /// Whether the device sleeps and must be kicked, for what was added since this was last asked.
    boolean deviceWantsKick();

    /// Takes back a chain that the device is done with, or returns empty when there is none.
    ///
    /// @throws BrokenDeviceException if the device gives back what it does not have
    Optional<Used<T>> poll() throws BrokenDeviceException;

    /// Says that the driver is about to wait and wants a call for the next chain that comes back.
    /// Returns true if one is there already: then no call may come.
    boolean askForCall();

    /// Says that the driver looks by itself, so that calls would be wasted.
    void refuseCalls();

    /// How many chains the device has.
    int outstanding();

    /// How many descriptors of the queue are free.
    int freeDescriptors();

    /// What the driver does when it is called: takes back everything there is, and leaves with
    /// calls enabled and nothing overlooked. It is a loop, for a chain may come back after the last
    /// poll and before the device can have seen the wish.
    default void drain(Consumer<Used<T>> receiver) throws BrokenDeviceException {
        do {
            refuseCalls();
            for (var used = poll(); used.isPresent(); used = poll()) {
                receiver.accept(used.get());
            }
        } while (askForCall());
    }

    /// The descriptors of a chain, not linked yet.
    static Descriptor[] describe(List<GuestRange> readable, List<GuestRange> writable) {
        if (readable.isEmpty() && writable.isEmpty()) {
            throw new IllegalArgumentException("a chain without descriptors");
        }
        Descriptor[] chain = new Descriptor[readable.size() + writable.size()];
        int at = 0;
        for (GuestRange range : readable) {
            chain[at++] = new Descriptor(range.address(), range.length(), 0, 0);
        }
        for (GuestRange range : writable) {
            chain[at++] = new Descriptor(range.address(), range.length(), Descriptor.WRITE, 0);
        }
        return chain;
    }
}
