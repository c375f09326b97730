package vitrine.conformance.vhostuser;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import vitrine.memory.Mapper;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.VirtioDevice;
import vitrine.vhostuser.Vring;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.DescriptorChain;

/// A device that does nothing by itself: it notes what it is told, and the test serves its rings.
final class RecordingDevice implements VirtioDevice {

    /// Where the window is to be filled; null while there is none.
    volatile Mapper window;

    /// For example `start 0`, `stop 0`, `reset`.
    final List<String> told = Collections.synchronizedList(new ArrayList<>());

    /// What a queue does at last.
    volatile Runnable whileStopping = () -> {};

    private final Map<Integer, Vring> served = Collections.synchronizedMap(new TreeMap<>());
    private final int queues;
    private final byte[] config;
    private final long windowSize;

    private RecordingDevice(int queues, byte[] config, long windowSize) {
        this.queues = queues;
        this.config = config;
        this.windowSize = windowSize;
    }

    RecordingDevice(int queues, byte[] config) {
        this(queues, config, 0);
    }

    RecordingDevice() {
        this(2, new byte[0]);
    }

    /// The usual, with a window.
    static RecordingDevice withWindow(long bytes) {
        return new RecordingDevice(2, new byte[0], bytes);
    }

    @Override
    public long features() {
        return Features.INDIRECT_DESC | Features.EVENT_IDX | Features.VERSION_1 | Features.RING_PACKED;
    }

    @Override
    public int queueCount() {
        return queues;
    }

    @Override
    public byte[] config() {
        return config.clone();
    }

    @Override
    public void start(Vring vring) {
        if (served.put(vring.index(), vring) != null) {
            throw new IllegalStateException("ring " + vring.index() + " was started twice");
        }
        told.add("start " + vring.index());
    }

    @Override
    public int stop(int index) {
        Vring vring = served.remove(index);
        whileStopping.run();
        told.add("stop " + index);
        return vring.queue().base();
    }

    @Override
    public long windowSize() {
        return windowSize;
    }

    @Override
    public void useWindow(Mapper mapper) {
        window = mapper;
    }

    @Override
    public void reset() {
        if (!served.isEmpty()) {
            throw new IllegalStateException("reset while rings are served: " + served.keySet());
        }
        told.add("reset");
    }

    /// The ring as the back end handed it over.
    Vring ring(int index) {
        return served.get(index);
    }

    /// Uses one request of a ring up, without looking into it.
    void serveOne(int index) {
        Vring vring = served.get(index);
        try {
            DescriptorChain chain = vring.queue().pop().orElseThrow();
            vring.queue().push(chain.head(), 0);
            if (vring.queue().driverWantsCall()) {
                vring.call().signal();
            }
        } catch (BrokenQueueException | BrokenChainException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }
}
