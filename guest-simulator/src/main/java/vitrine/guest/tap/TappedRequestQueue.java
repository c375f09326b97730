package vitrine.guest.tap;

import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.FuseRequest;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.RequestQueue;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.Descriptor;
import vitrine.trace.TraceEvent.Notified;
import vitrine.trace.TraceEvent.RequestQueued;
import vitrine.trace.TraceEvent.Signal;

/// A driver's queue whose requests and kicks are told to a trace.
public final class TappedRequestQueue implements RequestQueue {

    private final RequestQueue queue;
    private final int index;
    private final boolean indirect;
    private final Recorder recorder;

    /// @param index the queue's number
    /// @param indirect whether chains of more than one descriptor lie in a table of their own
    public TappedRequestQueue(RequestQueue queue, int index, boolean indirect, Recorder recorder) {
        this.queue = queue;
        this.index = index;
        this.indirect = indirect;
        this.recorder = recorder.as(Actor.DRIVER);
    }

    @Override
    public Pending add(FuseRequest request, List<GuestRange> readable, List<GuestRange> writable) {
        Pending pending = queue.add(request, readable, writable);
        List<Descriptor> descriptors = new ArrayList<>();
        readable.forEach(range -> descriptors.add(new Descriptor(range.length(), false)));
        writable.forEach(range -> descriptors.add(new Descriptor(range.length(), true)));
        Keys keys =
                TappedKernel.keys().withQueue(index).withHead(pending.head()).withUnique(request.unique());
        recorder.add(new RequestQueued(
                recorder.stamp(keys),
                String.valueOf(request.opcode()),
                indirect && descriptors.size() > 1,
                descriptors));
        return pending;
    }

    @Override
    public boolean kick() {
        boolean kicked = queue.kick();
        if (!kicked) { // a kick itself is seen by the doorbell, before the device acts on it
            recorder.add(new Notified(recorder.stamp(TappedKernel.keys().withQueue(index)), Signal.KICK_SUPPRESSED));
        }
        return kicked;
    }

    @Override
    public boolean isBack(Pending pending) {
        return queue.isBack(pending);
    }

    @Override
    public void await(FuseRequest request, Pending pending) {
        queue.await(request, pending);
    }
}
