package vitrine.guest.frontend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.ConfigMessage;
import vitrine.vhostuser.message.MigrationMessage;
import vitrine.vhostuser.message.MigrationPayload;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.WindowPayload;
import vitrine.wire.Buffers;

/// The vhost-user front end: what QEMU plays, message for message in QEMU's order.
///
/// It needs no guest: whoever holds it is the machine, writes into its memory and kicks. It works
/// with any back end, so the same guest can be put before another daemon.
///
/// Not for several threads at once. What the back end asks on the second socket is heard on a
/// thread of its own ([WindowRequests]), and waits while somebody speaks here.
public final class Frontend implements AutoCloseable {

    final Syscalls sys;
    final Conversation backend;
    final FrontendOptions options;
    final Agreement agreed;
    final Queues queues;
    private final GuestRam ram;
    private final MemoryAnnouncements memory;
    private WindowMemory window; // null: the device has none
    private WindowRequests windowRequests; // null: likewise
    private boolean featuresChosen;

    private Frontend(Conversation backend, GuestRam ram, Agreement agreed, FrontendOptions options, Queues queues) {
        this.sys = queues.sys;
        this.backend = backend;
        this.options = options;
        this.ram = ram;
        this.agreed = agreed;
        this.queues = queues;
        this.memory = new MemoryAnnouncements(backend, agreed.has(Features.CONFIGURE_MEM_SLOTS));
    }

    /// The same guest at another back end.
    Frontend(Frontend before, Conversation backend, Agreement agreed) throws FrontendException, ErrnoException {
        this(backend, before.ram, agreed, before.options, before.queues.at(backend));
        for (GuestRam.Piece piece : ram.pieces()) {
            memory.add(piece.region(), piece.fd());
        }
        queues.prepare(agreed.queues());
        featuresChosen = true;
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
            Agreement agreed = Agreement.reach(backend, sys, options);
            return new Frontend(backend, ram, agreed, options, new Queues(sys, backend, ram, agreed)).prepared();
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

    /// The device's window in the guest's memory.
    public Optional<WindowMemory> window() {
        return Optional.ofNullable(window);
    }

    /// What the back end did on the second socket that QEMU 11.1 would have ended for, or would
    /// have closed the socket.
    public List<String> offences() {
        return windowRequests == null ? List.of() : windowRequests.offences();
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
        return queues.count();
    }

    /// Starts all queues as a driver does that has just bound to the device.
    ///
    /// @param size entries of each
    public List<FrontendQueue> startQueues(int size) throws FrontendException {
        synchronized (backend) {
            announce();
            List<FrontendQueue> ready = new ArrayList<>();
            for (int index = 0; index < queueCount(); index++) {
                ready.add(queues.setUpAfresh(index, size));
            }
            for (FrontendQueue queue : ready) {
                queues.enable(queue.index());
            }
            for (FrontendQueue queue : ready) {
                queues.giveCall(queue.index());
            }
            return ready;
        }
    }

    /// Starts one queue with a ring of zeroes.
    ///
    /// @param size entries: a power of two up to 32768
    public FrontendQueue startQueue(int index, int size) throws FrontendException {
        synchronized (backend) {
            announce();
            return enable(queues.setUpAfresh(index, size));
        }
    }

    /// Starts a queue that was stopped, and goes on where it was left.
    ///
    /// @param base what [#stopQueue] answered
    public FrontendQueue resumeQueue(int index, int base) throws FrontendException {
        synchronized (backend) {
            announce();
            return enable(queues.setUp(index, base));
        }
    }

    /// Stops a queue. What was made available and not used yet stays in the ring.
    ///
    /// @return where it stands: of a split ring, the index of the next available entry that the
    ///     device has not taken
    public int stopQueue(int index) throws FrontendException {
        synchronized (backend) {
            return queues.stop(index);
        }
    }

    /// Gives the device another eventfd to call with, as QEMU does when the guest masks or unmasks
    /// an interrupt. The one before is closed.
    ///
    /// @return the queue with its new call
    public FrontendQueue exchangeCall(FrontendQueue queue) throws FrontendException, ErrnoException {
        return queues.exchangeCall(queue.index());
    }

    /// Gives the device another eventfd to be kicked with, while the queue runs.
    ///
    /// @return the queue with its new kick
    public FrontendQueue exchangeKick(FrontendQueue queue) throws FrontendException, ErrnoException {
        return queues.exchangeKick(queue.index());
    }

    /// Plugs in memory while the guest runs, and tells the device.
    public GuestRam.Piece plug(RamLayout.Range range) throws FrontendException, ErrnoException {
        synchronized (backend) {
            GuestRam.Piece piece = ram.plug(range);
            memory.add(piece.region(), piece.fd());
            return piece;
        }
    }

    /// Takes away memory that was plugged in, from the device first.
    public void unplug(GuestRam.Piece piece) throws FrontendException {
        synchronized (backend) {
            memory.remove(piece.region());
            ram.unplug(piece);
        }
    }

    /// Has the device log what it writes to, as QEMU does before it begins to copy a guest.
    public WriteLog beginLog() throws FrontendException, ErrnoException {
        WriteLog log = new WriteLog(sys, ram.end());
        var place = new MigrationPayload.Log(log.size(), 0);
        backend.ask(new MigrationMessage.SetLogBase(place, log.fd()), Payload.Number::decode);
        backend.tell(new NegotiationMessage.SetFeatures(agreed.features() | Features.LOG_ALL));
        queues.log(true);
        return log;
    }

    /// The end of [#beginLog].
    public void endLog() throws FrontendException {
        backend.tell(new NegotiationMessage.SetFeatures(agreed.features()));
        queues.log(false);
    }

    /// Resets the device, where the back end wants to know. All queues must have been stopped.
    public void reset() throws FrontendException {
        synchronized (backend) {
            queues.forget();
            if (window != null) { // which is empty after a reset (vhost-user: "Shared memory regions")
                for (WindowMemory.Mapped gone : window.empty()) {
                    memory.remove(gone.region());
                }
            }
            if (agreed.has(Features.RESET_DEVICE)) {
                backend.tell(new NegotiationMessage.ResetDevice());
            }
            featuresChosen = false;
        }
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
        if (windowRequests != null) {
            windowRequests.close(); // first: it may be waiting for an answer on the other socket
        }
        backend.close();
        if (window != null) {
            window.close();
        }
        agreed.close();
        queues.close();
        ram.close();
    }

    private Frontend prepared() throws FrontendException, ErrnoException {
        try {
            for (GuestRam.Piece piece : ram.pieces()) {
                memory.add(piece.region(), piece.fd());
            }
            queues.prepare(agreed.queues());
            if (agreed.has(Features.SHMEM) && agreed.backendRequests() != null) {
                makeRoomForWindow();
            }
            return this;
        } catch (FrontendException | ErrnoException e) {
            close();
            throw e;
        }
    }

    private void makeRoomForWindow() throws FrontendException, ErrnoException {
        long size = backend.ask(new NegotiationMessage.GetShmemConfig(), WindowPayload.Sizes::decode)
                .window();
        if (size != 0) {
            window = WindowMemory.reserve(sys, size);
            windowRequests = new WindowRequests(backend, agreed.backendRequests(), window, memory, queues);
        }
    }

    /// What QEMU says when the driver is ready, before it speaks of queues. The memory is announced
    /// once: it stays known while queues stop and start.
    private void announce() throws FrontendException {
        if (!featuresChosen) {
            backend.tell(new NegotiationMessage.SetFeatures(agreed.features()));
            featuresChosen = true;
        }
        memory.begin();
    }

    private FrontendQueue enable(FrontendQueue queue) throws FrontendException {
        queues.enable(queue.index());
        queues.giveCall(queue.index());
        return queue;
    }
}
