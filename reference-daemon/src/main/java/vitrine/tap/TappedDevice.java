package vitrine.tap;

import java.util.Optional;
import vitrine.memory.Mapper;
import vitrine.posix.ErrnoException;
import vitrine.trace.Recorder;
import vitrine.vhostuser.DeviceState;
import vitrine.vhostuser.VirtioDevice;
import vitrine.vhostuser.Vring;

/// A device whose rings are tapped: a [TappedQueue] and a [TappedEventFd] for each that is started.
public final class TappedDevice implements VirtioDevice {

    private final VirtioDevice device;
    private final Recorder recorder;

    /// @param device what serves the rings
    /// @param recorder in the daemon's name
    public TappedDevice(VirtioDevice device, Recorder recorder) {
        this.device = device;
        this.recorder = recorder;
    }

    @Override
    public void start(Vring vring) throws ErrnoException {
        int index = vring.index();
        device.start(new Vring(
                index,
                new TappedQueue(vring.queue(), index, recorder),
                vring.kick(), // waited for by its descriptor: nothing to be seen
                TappedEventFd.call(vring.call(), index, recorder),
                vring.error(),
                vring.memory()));
    }

    @Override
    public long features() {
        return device.features();
    }

    @Override
    public int queueCount() {
        return device.queueCount();
    }

    @Override
    public byte[] config() {
        return device.config();
    }

    @Override
    public int stop(int index) {
        return device.stop(index);
    }

    @Override
    public long windowSize() {
        return device.windowSize();
    }

    @Override
    public void useWindow(Mapper mapper) {
        device.useWindow(mapper);
    }

    @Override
    public Optional<DeviceState> state() {
        return device.state();
    }

    @Override
    public void reset() {
        device.reset();
    }
}
