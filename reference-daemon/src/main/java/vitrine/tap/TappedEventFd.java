package vitrine.tap;

import vitrine.posix.EventFd;
import vitrine.posix.Fd;
import vitrine.trace.Keys;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.Notified;
import vitrine.trace.TraceEvent.Signal;

/// An eventfd whose notifications are told to a trace.
///
/// A side that waits on the descriptor itself ([#fd]) is not seen to wake up.
public final class TappedEventFd implements EventFd {

    private final EventFd eventFd;
    private final Keys keys;
    private final Signal sent;
    private final Signal seen;
    private final Recorder recorder;

    private TappedEventFd(EventFd eventFd, Keys keys, Signal sent, Recorder recorder) {
        this.eventFd = eventFd;
        this.keys = keys;
        this.sent = sent;
        this.seen = sent == Signal.KICK ? Signal.KICK_SEEN : Signal.CALL_SEEN;
        this.recorder = recorder;
    }

    /// The eventfd by which the driver kicks the device.
    ///
    /// @param queue the number of the virtqueue
    /// @param recorder in the name of the side that uses this object
    public static TappedEventFd kick(EventFd eventFd, int queue, Recorder recorder) {
        return new TappedEventFd(eventFd, Keys.ofQueue(queue), Signal.KICK, recorder);
    }

    /// The eventfd by which the device calls the driver.
    ///
    /// @param queue the number of the virtqueue
    /// @param recorder in the name of the side that uses this object
    public static TappedEventFd call(EventFd eventFd, int queue, Recorder recorder) {
        return new TappedEventFd(eventFd, Keys.ofQueue(queue), Signal.CALL, recorder);
    }

    /// Tells first: the other side may be awake before this thread is back from the kernel.
    @Override
    public void signal() {
        recorder.add(new Notified(recorder.stamp(keys), sent));
        eventFd.signal();
    }

    @Override
    public long drain() {
        long count = eventFd.drain();
        if (count > 0) {
            recorder.add(new Notified(recorder.stamp(keys), seen));
        }
        return count;
    }

    @Override
    public Fd fd() {
        return eventFd.fd();
    }

    @Override
    public void close() {
        eventFd.close();
    }
}
