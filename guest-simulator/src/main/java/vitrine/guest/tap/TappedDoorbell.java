package vitrine.guest.tap;

import java.time.Duration;
import vitrine.guest.driver.Doorbell;
import vitrine.posix.ErrnoException;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.Notified;
import vitrine.trace.TraceEvent.Signal;

/// A doorbell whose kicks are told to a trace, and the calls that woke the driver.
public final class TappedDoorbell implements Doorbell {

    private final Doorbell doorbell;
    private final int queue;
    private final Recorder recorder;

    /// @param queue the number of the queue
    public TappedDoorbell(Doorbell doorbell, int queue, Recorder recorder) {
        this.doorbell = doorbell;
        this.queue = queue;
        this.recorder = recorder.as(Actor.DRIVER);
    }

    @Override
    public void kick() throws ErrnoException {
        tell(Signal.KICK); // before: in the stepped machine the kick is the device's whole work
        doorbell.kick();
    }

    @Override
    public boolean awaitCall(Duration limit) throws ErrnoException {
        boolean called = doorbell.awaitCall(limit);
        if (called) {
            tell(Signal.CALL_SEEN);
        }
        return called;
    }

    private void tell(Signal signal) {
        recorder.add(new Notified(recorder.stamp(TappedKernel.keys().withQueue(queue)), signal));
    }
}
