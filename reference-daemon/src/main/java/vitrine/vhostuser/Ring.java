package vitrine.vhostuser;

import java.lang.foreign.MemorySegment;
import vitrine.memory.GuestMemory;
import vitrine.memory.LoggedMemory;
import vitrine.memory.MappedMemory;
import vitrine.memory.NotGuestMemoryException;
import vitrine.memory.SharedMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.vhostuser.message.Payload;
import vitrine.virtqueue.DeviceQueue;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;

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

    /// What the driver chose for all rings.
    ///
    /// @param eventIndex whether kicks and calls are asked for by entry ([Features#EVENT_IDX])
    record Kind(RingFormat format, boolean eventIndex) {
        static Kind of(long features) {
            return new Kind(
                    (features & Features.RING_PACKED) != 0 ? RingFormat.PACKED : RingFormat.SPLIT,
                    (features & Features.EVENT_IDX) != 0);
        }
    }

    private final int index;
    private final VirtioDevice device;
    private final GuestMemory memory;
    private final ExchangeableEvent call = new ExchangeableEvent();
    private final ExchangeableEvent error = new ExchangeableEvent();

    private Kind kind = Kind.of(0);
    private EventFd kick; // null: stopped
    private boolean enabled;
    private boolean served;
    private boolean stopped; // by the front end, and not started since
    private int size; // 0: not said yet
    private Payload.RingAddresses addresses; // null: not said yet
    private int base; // where to go on, while not served

    Ring(int index, VirtioDevice device, GuestMemory memory) {
        this.index = index;
        this.device = device;
        this.memory = memory;
    }

    /// Notes what the driver chose; no ring is served. What was said before is looked at again when
    /// it is to be.
    void setKind(Kind next) {
        kind = next;
    }

    void setSize(int newSize) throws RefusedException {
        requireSize(newSize);
        if (served && newSize != size) {
            throw refused("its size cannot change while it is being served");
        }
        size = newSize;
    }

    /// Notes where the areas lie. Whether there is memory is seen when the ring is to be served:
    /// the memory may be announced later than the ring.
    void setAddresses(Payload.RingAddresses next) throws RefusedException {
        requireAligned(next);
        if (served && !next.isSamePlace(addresses)) {
            throw refused("it cannot move while it is being served");
        }
        addresses = next;
    }

    void setBase(int next) throws RefusedException {
        requireBase(next);
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

    /// Stops the ring and says where it is to go on (GET_VRING_BASE).
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
    /// @throws RefusedException if the ring is started and enabled, but cannot be served. Memory
    ///     that comes later may mend that: call again
    void settle() throws RefusedException {
        if (served || kick == null || !enabled) {
            return;
        }
        try {
            DeviceQueue queue = kind.format().deviceQueue(find(), memory, kind.eventIndex(), base);
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

    /// Whether what the device writes to the ring is to be logged.
    boolean wantsLog() {
        return addresses != null && (addresses.flags() & Payload.RingAddresses.LOG) != 0;
    }

    /// Whether one of the ring's areas lies in part in these user addresses.
    boolean touches(GuestMemory.Region region) {
        return addresses != null
                && (overlaps(region, addresses.desc(), kind.format().descriptorBytes(size))
                        || overlaps(region, addresses.avail(), kind.format().driverBytes(size))
                        || overlaps(region, addresses.used(), kind.format().deviceBytes(size)));
    }

    private RingAreas find() throws RefusedException {
        if (size == 0 || addresses == null) {
            throw refused("started before its size and addresses are known");
        }
        requireSize(size);
        requireAligned(addresses);
        requireBase(base);
        return new RingAreas(
                size,
                area("descriptor area", addresses.desc(), kind.format().descriptorBytes(size), isPacked()),
                area("driver area", addresses.avail(), kind.format().driverBytes(size), false),
                area("device area", addresses.used(), kind.format().deviceBytes(size), true));
    }

    private boolean isPacked() {
        return kind.format() == RingFormat.PACKED;
    }

    /// @param written whether the device writes to it
    private SharedMemory area(String what, long userAddress, long length, boolean written) throws RefusedException {
        try {
            MemorySegment bytes = memory.user(userAddress, length);
            if (bytes.address() % Short.BYTES != 0) { // and the user address is even
                throw refused(what + ": in a region that begins at an odd place of its file");
            }
            if (!bytes.scope().isAlive()) {
                throw refused(what + ": in memory that is not the guest's alone");
            }
            SharedMemory area = new MappedMemory(bytes);
            return written ? new LoggedMemory(area, memory, memory.guestAddress(bytes)) : area;
        } catch (NotGuestMemoryException e) {
            throw refused(what + ": " + e.getMessage());
        }
    }

    private void requireSize(int entries) throws RefusedException {
        if (!kind.format().isPossibleSize(entries)) {
            throw refused(Integer.toUnsignedString(entries) + " entries; it must be "
                    + (isPacked() ? "1 to " : "a power of two up to ") + RingFormat.MAX_SIZE);
        }
    }

    private void requireAligned(Payload.RingAddresses place) throws RefusedException {
        requireAligned("descriptor area", place.desc(), RingFormat.DESCRIPTOR_ALIGNMENT);
        requireAligned("driver area", place.avail(), kind.format().driverAlignment());
        requireAligned("device area", place.used(), RingFormat.DEVICE_ALIGNMENT);
    }

    private void requireAligned(String what, long address, int alignment) throws RefusedException {
        if (address % alignment != 0) {
            throw refused("%s at 0x%x, not a multiple of %d".formatted(what, address, alignment));
        }
    }

    private void requireBase(int next) throws RefusedException {
        if (size != 0 && !kind.format().isPossibleBase(next, size)) {
            throw refused("no index of a %s ring of %d entries: %s"
                    .formatted(kind.format().word(), size, Integer.toUnsignedString(next)));
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
