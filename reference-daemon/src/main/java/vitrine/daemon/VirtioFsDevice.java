package vitrine.daemon;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import vitrine.dax.Window;
import vitrine.memory.Mapper;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.WakeUp;
import vitrine.session.FuseSession;
import vitrine.session.QueueWorker;
import vitrine.vhostuser.DeviceState;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.VirtioDevice;
import vitrine.vhostuser.Vring;

/// The virtio file system device: one FUSE session behind a high-priority queue and some request
/// queues, each served by a platform thread of its own (virtio 1.3, 5.11).
///
/// Linux and every current device number the queues 0 hiprio, 1 and up request.
public final class VirtioFsDevice implements VirtioDevice {

    /// Bytes of the tag in the configuration space (virtio 1.3, 5.11.4).
    static final int TAG_BYTES = 36;

    private final Syscalls sys;
    private final FuseSession session;
    private final int requestQueues;
    private final String tag;
    private final Window window;
    private final Optional<DeviceState> state;
    private final Map<Integer, Served> served = new HashMap<>();

    private record Served(Vring vring, QueueWorker worker, WakeUp wakeUp, Thread thread) {}

    /// @param tag the tag that a front end without one of its own shows to the guest; empty: none
    public VirtioFsDevice(Syscalls sys, FuseSession session, int requestQueues, String tag) {
        this(sys, session, requestQueues, tag, Window.none());
    }

    /// The same with a DAX window.
    public VirtioFsDevice(Syscalls sys, FuseSession session, int requestQueues, String tag, Window window) {
        this.sys = sys;
        this.session = session;
        this.requestQueues = requestQueues;
        this.tag = tag;
        this.window = window;
        // not with a window: it is a part of the guest's memory that others write to as well
        this.state = window.size() > 0 ? Optional.empty() : session.movable().map(moved -> new MovedState(sys, moved));
    }

    @Override
    public long features() {
        return Features.INDIRECT_DESC | Features.EVENT_IDX | Features.VERSION_1 | Features.RING_PACKED;
    }

    @Override
    public int queueCount() {
        return 1 + requestQueues;
    }

    /// `struct virtio_fs_config`: the tag, padded with NUL, and the number of request queues.
    @Override
    public byte[] config() {
        if (tag.isEmpty()) {
            return new byte[0];
        }
        return ByteBuffer.allocate(TAG_BYTES + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(tag.getBytes(StandardCharsets.UTF_8))
                .putInt(TAG_BYTES, requestQueues)
                .array();
    }

    @Override
    public void start(Vring vring) throws ErrnoException {
        WakeUp wakeUp = new WakeUp(sys, vring.kick());
        var queue = new QueueWorker.Queue(vring.index(), vring.queue(), vring.memory(), vring.call(), vring.error());
        QueueWorker worker = new QueueWorker(queue, session);
        Thread thread = Thread.ofPlatform()
                .name(vring.index() == 0 ? "hiprio" : "request-" + vring.index())
                .daemon()
                .start(() -> worker.run(wakeUp));
        served.put(vring.index(), new Served(vring, worker, wakeUp, thread));
    }

    @Override
    public int stop(int index) {
        Served ring = served.remove(index);
        ring.worker().stop();
        ring.wakeUp().stop();
        joinUninterruptibly(ring.thread());
        window.queueStopped();
        ring.wakeUp().close();
        return ring.vring().queue().base();
    }

    @Override
    public long windowSize() {
        return window.size();
    }

    @Override
    public void useWindow(Mapper mapper) {
        if (mapper != null) {
            mapper.listen(session::ring);
        }
        window.use(mapper);
    }

    @Override
    public Optional<DeviceState> state() {
        return state;
    }

    @Override
    public void reset() {
        window.forget(); // the front end has emptied it, and must not be asked to
        session.reset();
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true; // the ring must not be touched after we return: wait on
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
