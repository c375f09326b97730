package vitrine.conformance.session;

import java.util.Optional;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.DeviceQueue;

/// The real queue, and two moments that a test can step into.
final class WatchedQueue implements DeviceQueue {

    /// Happens when the device is about to ask for a kick.
    volatile Runnable aboutToSleep = () -> {};

    /// Happens when the device is about to look whether something has come.
    volatile Runnable aboutToLook = () -> {};

    private final DeviceQueue queue;

    WatchedQueue(DeviceQueue queue) {
        this.queue = queue;
    }

    @Override
    public Optional<DescriptorChain> pop() throws BrokenQueueException, BrokenChainException {
        return queue.pop();
    }

    @Override
    public boolean waiting() {
        aboutToLook.run();
        return queue.waiting();
    }

    @Override
    public void push(int head, long written) {
        queue.push(head, written);
    }

    @Override
    public boolean driverWantsCall() {
        return queue.driverWantsCall();
    }

    @Override
    public boolean askForKick() {
        aboutToSleep.run();
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
