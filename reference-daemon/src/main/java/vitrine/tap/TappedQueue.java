package vitrine.tap;

import java.util.Optional;
import vitrine.trace.Keys;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.ChainPopped;
import vitrine.trace.TraceEvent.ChainPushed;
import vitrine.trace.TraceEvent.ChainRefused;
import vitrine.trace.TraceEvent.Notified;
import vitrine.trace.TraceEvent.Signal;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.DeviceQueue;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A virtqueue whose chains are told to a trace as they come and go.
public final class TappedQueue implements DeviceQueue {

    /// Where `fuse_in_header.unique` lies in a request.
    private static final int UNIQUE_OFFSET = 8;

    private final DeviceQueue queue;
    private final Recorder recorder;
    private final Keys keys;

    /// By head: the request of each chain that was popped and not pushed yet. Written by the thread
    /// that pops, read under the lock that pushes; the same head comes again only after its push.
    private final long[] uniques;

    /// @param queue what holds the chains
    /// @param index its number
    /// @param recorder in the daemon's name
    public TappedQueue(DeviceQueue queue, int index, Recorder recorder) {
        this.queue = queue;
        this.recorder = recorder;
        this.keys = Keys.ofQueue(index);
        this.uniques = new long[queue.size()];
    }

    @Override
    public Optional<DescriptorChain> pop() throws BrokenQueueException, BrokenChainException {
        try {
            Optional<DescriptorChain> chain = queue.pop();
            chain.ifPresent(this::popped);
            return chain;
        } catch (BrokenChainException e) {
            remember(e.head(), 0);
            recorder.add(new ChainRefused(recorder.stamp(keys.withHead(e.head())), e.getMessage()));
            throw e;
        }
    }

    private void popped(DescriptorChain chain) {
        long unique = unique(chain);
        remember(chain.head(), unique);
        recorder.add(new ChainPopped(
                recorder.stamp(keys.withHead(chain.head()).withUnique(unique)),
                chain.readable().size(),
                chain.writable().size(),
                chain.descriptors()));
    }

    /// The request's number, read for the trace alone: whoever serves the request reads it once
    /// more, and a guest that changes it in between only makes its own story hard to follow.
    private static long unique(DescriptorChain chain) {
        try {
            WireReader reader = new WireReader(chain.readable());
            reader.skip(UNIQUE_OFFSET);
            return reader.u64();
        } catch (MalformedException _) {
            return 0; // too short to be a request
        }
    }

    private void remember(int head, long unique) {
        if (head >= 0 && head < uniques.length) {
            uniques[head] = unique;
        }
    }

    @Override
    public void push(int head, long written) {
        long unique = head >= 0 && head < uniques.length ? uniques[head] : 0;
        queue.push(head, written);
        recorder.add(new ChainPushed(recorder.stamp(keys.withHead(head).withUnique(unique)), written));
    }

    @Override
    public boolean driverWantsCall() {
        boolean wanted = queue.driverWantsCall();
        if (!wanted) {
            recorder.add(new Notified(recorder.stamp(keys), Signal.CALL_SUPPRESSED));
        }
        return wanted; // the call itself is seen by its eventfd
    }

    @Override
    public boolean waiting() {
        return queue.waiting();
    }

    @Override
    public boolean askForKick() {
        return queue.askForKick();
    }

    @Override
    public void refuseKicks() {
        queue.refuseKicks();
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public int base() {
        return queue.base();
    }
}
