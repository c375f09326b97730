package vitrine.guest.frontend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.ConfigMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.vhostuser.message.RingMessage.RingFd;
import vitrine.wire.Buffers;

/// The vhost-user front end: what QEMU plays, message for message in QEMU's order.
///
/// It needs no guest: whoever holds it is the machine, writes into its memory and kicks. It works
/// with any back end, so the same guest can be put before another daemon.
///
/// Not for several threads at once.
public final class Frontend implements AutoCloseable {

    private final Syscalls sys;
    private final Conversation backend;
    private final GuestRam ram;
    private final Agreement agreed;
    private final List<Bells> bells = new ArrayList<>(); // by queue
    private final List<FrontendQueue.Place> places = new ArrayList<>(); // by queue; null: never started
    private boolean memoryAnnounced;
    private boolean featuresChosen;

    private Frontend(Syscalls sys, Conversation backend, GuestRam ram, Agreement agreed) {
        this.sys = sys;
        this.backend = backend;
        this.ram = ram;
        this.agreed = agreed;
    }

    /// Shakes hands, as QEMU does before its guest boots. No queue is started.
    ///
    /// @param socket to the back end; taken over, and closed if this fails
    /// @throws FrontendException if the back end does not do as it should
    /// @throws ErrnoException if this process gets no memory or descriptors
    public static Frontend connect(Syscalls sys, UnixSocket socket, FrontendOptions options)
            throws FrontendException, ErrnoException {
        Conversation backend = new Conversation(sys, socket, options);
        GuestRam ram = null;
        try {
            ram = new GuestRam(sys, options.ram());
            return new Frontend(sys, backend, ram, Agreement.reach(backend, sys, options)).withBells();
        } catch (FrontendException | ErrnoException e) {
            backend.close();
            if (ram != null) {
                ram.close();
            }
            throw e;
        }
    }

    /// The guest's memory.
    public GuestRam ram() {
        return ram;
    }

    /// The virtio features that were settled.
    public long features() {
        return agreed.features();
    }

    /// The protocol features that were settled.
    public long protocolFeatures() {
        return agreed.protocolFeatures();
    }

    /// Whether the back end is still there.
    public boolean isConnected() {
        return backend.isConnected();
    }

    /// How many queues the device has; 1 if the back end does not tell.
    public int queueCount() {
        return bells.size();
    }

    /// Starts all queues as a driver does that has just bound to the device.
    ///
    /// @param size entries of each
    public List<FrontendQueue> startQueues(int size) throws FrontendException {
        announce();
        List<FrontendQueue> queues = new ArrayList<>();
        for (int index = 0; index < queueCount(); index++) {
            queues.add(setUp(index, freshPlace(index, size), 0));
        }
        for (FrontendQueue queue : queues) {
            backend.tell(new RingMessage.SetVringEnable(queue.index(), 1));
        }
        for (FrontendQueue queue : queues) {
            giveCall(queue.index());
        }
        return queues;
    }

    /// Starts one queue with a ring of zeroes.
    ///
    /// @param size entries: a power of two up to 32768
    public FrontendQueue startQueue(int index, int size) throws FrontendException {
        announce();
        return enable(setUp(index, freshPlace(index, size), 0));
    }

    /// Starts a queue that was stopped, and goes on where it was left.
    ///
    /// @param base what [#stopQueue] answered
    public FrontendQueue resumeQueue(int index, int base) throws FrontendException {
        announce();
        return enable(setUp(index, places.get(index), base));
    }

    /// Stops a queue. What was made available and not used yet stays in the ring.
    ///
    /// @return the index of the next available entry that the device has not taken
    public int stopQueue(int index) throws FrontendException {
        backend.tell(new RingMessage.SetVringEnable(index, 0));
        Payload.RingState state = backend.ask(new RingMessage.GetVringBase(index, 0), Payload.RingState::decode);
        if (state.index() != index) {
            throw new FrontendException("GET_VRING_BASE of ring " + index + " was answered for ring " + state.index());
        }
        return state.num();
    }

    /// Gives the device another eventfd to call with, as QEMU does when the guest masks or unmasks
    /// an interrupt. The one before is closed.
    ///
    /// @return the queue with its new call
    public FrontendQueue exchangeCall(FrontendQueue queue) throws FrontendException, ErrnoException {
        Bells old = bells.get(queue.index());
        bells.set(queue.index(), new Bells(old.kick(), EventFd.create(sys), old.error()));
        giveCall(queue.index());
        old.call().close();
        return queue(queue.index(), queue.place());
    }

    /// Gives the device another eventfd to be kicked with, while the queue runs.
    ///
    /// @return the queue with its new kick
    public FrontendQueue exchangeKick(FrontendQueue queue) throws FrontendException, ErrnoException {
        Bells old = bells.get(queue.index());
        bells.set(queue.index(), new Bells(EventFd.create(sys), old.call(), old.error()));
        giveKick(queue.index());
        old.kick().close();
        return queue(queue.index(), queue.place());
    }

    /// Plugs in memory while the guest runs, and tells the device.
    public GuestRam.Piece plug(RamLayout.Range range) throws FrontendException, ErrnoException {
        GuestRam.Piece piece = ram.plug(range);
        if (memoryAnnounced && hasSlots()) {
            backend.tell(new MemoryMessage.AddMemReg(piece.region(), piece.fd()));
        } else if (memoryAnnounced) {
            announceTable(ram.pieces());
        }
        return piece;
    }

    /// Takes away memory that was plugged in, from the device first.
    public void unplug(GuestRam.Piece piece) throws FrontendException {
        if (memoryAnnounced && hasSlots()) {
            backend.tell(new MemoryMessage.RemMemReg(piece.region()));
        } else if (memoryAnnounced) {
            announceTable(ram.pieces().stream().filter(other -> other != piece).toList());
        }
        ram.unplug(piece);
    }

    /// Resets the device, where the back end wants to know. All queues must have been stopped.
    public void reset() throws FrontendException {
        if (agreed.has(Features.RESET_DEVICE)) {
            backend.tell(new NegotiationMessage.ResetDevice());
        }
        featuresChosen = false;
    }

    /// Reads a part of the configuration space that the back end makes.
    ///
    /// @throws FrontendException if it makes none, or not that part
    public byte[] config(int offset, int size) throws FrontendException {
        Payload.Config wanted = new Payload.Config(offset, 0, Buffers.ofBytes(new byte[size]));
        Payload.Config part = backend.ask(new ConfigMessage.GetConfig(wanted), Payload.Config::decode);
        return part.bytes().toBytes();
    }

    /// Leaves without a word, which is how QEMU ends.
    @Override
    public void close() {
        backend.close();
        agreed.close();
        bells.forEach(Bells::close);
        ram.close();
    }

    /// Makes the eventfds, and gives those to the device that it may need before a start.
    private Frontend withBells() throws FrontendException, ErrnoException {
        try {
            for (int index = 0; index < agreed.queues(); index++) {
                bells.add(Bells.create(sys));
                places.add(null);
                giveCall(index);
                backend.tell(new RingMessage.SetVringErr(
                        ringFd(index, bells.get(index).error())));
            }
            return this;
        } catch (FrontendException | ErrnoException e) {
            close();
            throw e;
        }
    }

    /// What QEMU says when the driver is ready, before it speaks of queues. The memory is announced
    /// once: it stays known while queues stop and start.
    private void announce() throws FrontendException {
        if (!featuresChosen) {
            backend.tell(new NegotiationMessage.SetFeatures(agreed.features()));
            featuresChosen = true;
        }
        if (memoryAnnounced) {
            return;
        }
        if (hasSlots()) {
            for (GuestRam.Piece piece : ram.pieces()) {
                backend.tell(new MemoryMessage.AddMemReg(piece.region(), piece.fd()));
            }
        } else {
            announceTable(ram.pieces());
        }
        memoryAnnounced = true;
    }

    private void announceTable(List<GuestRam.Piece> pieces) throws FrontendException {
        List<Region> regions = pieces.stream().map(GuestRam.Piece::region).toList();
        List<Fd> fds = pieces.stream().map(GuestRam.Piece::fd).toList();
        backend.tell(new MemoryMessage.SetMemTable(regions, fds));
    }

    private FrontendQueue.Place freshPlace(int index, int size) {
        FrontendQueue.Place place = places.get(index);
        if (place == null || place.size() != size) {
            place = FrontendQueue.Place.reserve(ram, size);
            places.set(index, place);
        }
        place.clear(ram);
        return place;
    }

    private FrontendQueue setUp(int index, FrontendQueue.Place place, int base) throws FrontendException {
        backend.tell(new RingMessage.SetVringNum(index, place.size()));
        backend.tell(new RingMessage.SetVringBase(index, base));
        backend.tell(new RingMessage.SetVringAddr(new Payload.RingAddresses(
                index,
                0,
                ram.userAddress(place.desc()),
                ram.userAddress(place.used()),
                ram.userAddress(place.avail()),
                0)));
        giveKick(index);
        return queue(index, place);
    }

    private FrontendQueue enable(FrontendQueue queue) throws FrontendException {
        backend.tell(new RingMessage.SetVringEnable(queue.index(), 1));
        giveCall(queue.index());
        return queue;
    }

    private FrontendQueue queue(int index, FrontendQueue.Place place) {
        Bells own = bells.get(index);
        return new FrontendQueue(index, place.ring(ram), place, own.kick(), own.call(), own.error());
    }

    private void giveKick(int index) throws FrontendException {
        backend.tell(new RingMessage.SetVringKick(ringFd(index, bells.get(index).kick())));
    }

    private void giveCall(int index) throws FrontendException {
        backend.tell(new RingMessage.SetVringCall(ringFd(index, bells.get(index).call())));
    }

    private static RingFd ringFd(int index, EventFd event) {
        return new RingFd(index, Optional.of(event.fd()));
    }

    private boolean hasSlots() {
        return agreed.has(Features.CONFIGURE_MEM_SLOTS);
    }
}
