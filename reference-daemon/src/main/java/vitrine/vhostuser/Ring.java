package vitrine.vhostuser;

import java.lang.foreign.MemorySegment;
import vitrine.memory.GuestMemory;
import vitrine.memory.MappedMemory;
import vitrine.memory.NotGuestMemoryException;
import vitrine.memory.SharedMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.vhostuser.message.Payload;
import vitrine.virtqueue.SplitDeviceQueue;
import vitrine.virtqueue.SplitRing;

/// What the front end has said about one ring, and whether the device serves it
/// (vhost-user: "Ring states").
///
/// ```
///   SET_VRING_KICK ──► started ─┐
///                               ├─► and its areas lie in memory ──► served
///   SET_VRING_ENABLE ► enabled ─┘
/// ```
///
/// The three conditions become true in any order, and memory may go and come back. So each message
/// only notes what it says, and [#settle] draws the conclusion. By the specification a ring starts
/// with the first kick, not with the kick's descriptor; to look at once is harmless, and needed:
/// the driver's only kick may have come before the ring was enabled.
final class Ring {

    private static final int LAST_INDEX = 0xffff; // of a split ring (virtio 1.3, 2.7)

    private final int index;
    private final VirtioDevice device;
    private final GuestMemory memory;
    private final ExchangeableEvent call = new ExchangeableEvent();
    private final ExchangeableEvent error = new ExchangeableEvent();

    private EventFd kick; // null: stopped
    private boolean enabled;
    private boolean served;
    private boolean stopped; // by the front end, and not started since
    private int size; // 0: not said yet
    private Payload.RingAddresses addresses; // null: not said yet
    private int base; // the available index to go on with, while not served

    Ring(int index, VirtioDevice device, GuestMemory memory) {
        this.index = index;
        this.device = device;
        this.memory = memory;
    }

    void setSize(int newSize) throws RefusedException {
        if (!SplitRing.isPossibleSize(newSize)) {
            throw refused(Integer.toUnsignedString(newSize) + " entries; it must be a power of two up to "
                    + SplitRing.MAX_SIZE);
        }
        if (served && newSize != size) {
            throw refused("its size cannot change while it is being served");
        }
        size = newSize;
    }

    /// Notes where the areas lie. Whether there is memory is seen when the ring is to be served:
    /// the memory may be announced later than the ring.
    void setAddresses(Payload.RingAddresses next) throws RefusedException {
        requireAligned("descriptor table", next.desc(), 16); // (virtio 1.3, 2.7)
        requireAligned("available ring", next.avail(), 2);
        requireAligned("used ring", next.used(), 4);
        if (next.flags() != 0) {
            throw refused("writes cannot be logged"); // VHOST_F_LOG_ALL is not offered
        }
        if (served && !next.equals(addresses)) {
            throw refused("it cannot move while it is being served");
        }
        addresses = next;
    }

    void setBase(int next) throws RefusedException {
        if (next < 0 || next > LAST_INDEX) {
            throw refused("no index of a split ring: " + Integer.toUnsignedString(next));
        }
        if (served) {
            throw refused("its index cannot change while it is being served");
        }
        base = next;
    }

    /// Starts the ring. A ring that is being served goes on with the new descriptor.
    void start(EventFd newKick) {
        pause();
        dropKick();
        kick = newKick;
        stopped = false;
    }

    void setCall(EventFd next) {
        call.exchange(next);
    }

    void setError(EventFd next) {
        error.exchange(next);
    }

    void setEnabled(boolean on) {
        enabled = on;
        if (!on) {
            pause();
        }
    }

    /// Stops the ring and says at which available index it is to go on (GET_VRING_BASE).
    int stop() {
        stopped = kick != null || stopped;
        pause();
        dropKick();
        return base;
    }

    /// Back to the state before any driver. The call and error descriptors stay: they were given at
    /// connect time, and QEMU does not give the latter again.
    void reset(boolean enabledFromStart) {
        stop();
        stopped = false;
        enabled = enabledFromStart;
        size = 0;
        addresses = null;
        base = 0;
    }

    /// Stops and closes everything that was handed over.
    void close() {
        stop();
        call.close();
        error.close();
    }

    /// Has the device serve the ring, if that is what it has come to.
    ///
    /// @param eventIndex whether [Features#EVENT_IDX] was settled
    /// @throws RefusedException if the ring is started and enabled, but cannot be served. Memory
    ///     that comes later may mend that: call again
    void settle(boolean eventIndex) throws RefusedException {
        if (served || kick == null || !enabled) {
            return;
        }
        try {
            SplitDeviceQueue queue = new SplitDeviceQueue(find(), memory, eventIndex, base);
            device.start(new Vring(index, queue, kick, call, error, memory));
        } catch (ErrnoException e) {
            throw refused(e.getMessage());
        } catch (InternalError _) { // so the JVM says SIGBUS
            throw refused("it lies in memory whose file has been made shorter");
        }
        served = true;
    }

    /// Ends the service without forgetting anything: [#settle] goes on where it was left.
    void pause() {
        if (served) {
            served = false;
            base = device.stop(index);
        }
    }

    boolean isServed() {
        return served;
    }

    /// Whether the ring was started and is not to be processed: not yet, or not any more.
    boolean isHeldBack() {
        return stopped || kick != null && !enabled;
    }

    /// Whether one of the ring's areas lies in part in these user addresses.
    boolean touches(GuestMemory.Region region) {
        return addresses != null
                && (overlaps(region, addresses.desc(), SplitRing.descriptorBytes(size))
                        || overlaps(region, addresses.avail(), SplitRing.availBytes(size))
                        || overlaps(region, addresses.used(), SplitRing.usedBytes(size)));
    }

    private SplitRing find() throws RefusedException {
        if (size == 0 || addresses == null) {
            throw refused("started before its size and addresses are known");
        }
        return new SplitRing(
                size,
                area("descriptor table", addresses.desc(), SplitRing.descriptorBytes(size)),
                area("available ring", addresses.avail(), SplitRing.availBytes(size)),
                area("used ring", addresses.used(), SplitRing.usedBytes(size)));
    }

    private SharedMemory area(String what, long userAddress, long length) throws RefusedException {
        try {
            MemorySegment bytes = memory.user(userAddress, length);
            if (!bytes.scope().isAlive()) {
                throw refused(what + ": in memory that is not the guest's alone");
            }
            return new MappedMemory(bytes);
        } catch (NotGuestMemoryException e) {
            throw refused(what + ": " + e.getMessage());
        }
    }

    private void requireAligned(String what, long address, int alignment) throws RefusedException {
        if (address % alignment != 0) {
            throw refused("%s at 0x%x, not a multiple of %d".formatted(what, address, alignment));
        }
    }

    private void dropKick() {
        if (kick != null) {
            kick.close();
            kick = null;
        }
    }

    private RefusedException refused(String why) {
        return new RefusedException("ring " + index + ": " + why);
    }

    /// Neither end can wrap around: an area that was found in memory does not.
    private static boolean overlaps(GuestMemory.Region region, long address, long length) {
        return Long.compareUnsigned(address, region.userAddress() + region.size()) < 0
                && Long.compareUnsigned(region.userAddress(), address + length) < 0;
    }
}
