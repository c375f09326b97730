package vitrine.guest.driver;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import vitrine.fuse.FuseRequest;
import vitrine.posix.ErrnoException;

/// A virtqueue with all that a driver needs to use it from several threads: a lock, the doorbell,
/// and the wait for the device.
///
/// Of the threads that wait, one listens to the doorbell and takes back whatever has been done, its
/// own chain and those of the others. While it does, nobody else takes anything back: the device
/// does not call for what has been taken, and who listens would sleep on with its answer in its
/// pocket. A thread that finds the queue full waits in the same way.
public final class FuseQueue implements RequestQueue {

    private final DriverQueue<Pending> queue;
    private final Doorbell doorbell;
    private final Duration limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition progress = lock.newCondition();
    private boolean somebodyListens;

    /// @param limit how long to wait for the device before giving up
    public FuseQueue(DriverQueue<Pending> queue, Doorbell doorbell, Duration limit) {
        this.queue = queue;
        this.doorbell = doorbell;
        this.limit = limit;
    }

    @Override
    public Pending add(FuseRequest request, List<GuestRange> readable, List<GuestRange> writable) {
        Pending pending = new Pending();
        lock.lock();
        try {
            long deadline = System.nanoTime() + limit.toNanos();
            var head = queue.add(readable, writable, pending);
            while (head.isEmpty()) {
                listen(deadline, "room in the queue for " + request.opcode());
                head = queue.add(readable, writable, pending);
            }
            pending.head = head.getAsInt();
            return pending;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean kick() {
        lock.lock();
        try {
            boolean wanted = queue.deviceWantsKick();
            if (wanted) {
                doorbell.kick();
            }
            return wanted;
        } catch (ErrnoException e) {
            throw new NoAnswerException("the device cannot be kicked", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isBack(Pending pending) {
        lock.lock();
        try {
            if (!pending.done && !somebodyListens) {
                takeBack();
            }
            return pending.done;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void await(FuseRequest request, Pending pending) {
        lock.lock();
        try {
            long deadline = System.nanoTime() + limit.toNanos();
            if (!somebodyListens) {
                takeBack();
            }
            boolean called = true;
            while (!pending.done) {
                called = listen(deadline, "answer to " + request.opcode());
            }
            if (!called) { // a driver that only looked after a call would wait for ever
                throw new NoAnswerException("an answer to " + request.opcode() + ", but no call of the device");
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for progress: listens itself, or lets the thread that listens do it. Holds the lock
    /// before and after, not while it waits.
    ///
    /// @return false if time was up before the device called
    private boolean listen(long deadline, String what) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new NoAnswerException("no " + what + " within " + limit.toSeconds() + " s");
        }
        if (somebodyListens) {
            awaitProgress(left);
            return true;
        }
        boolean called;
        somebodyListens = true;
        lock.unlock();
        try {
            called = doorbell.awaitCall(Duration.ofNanos(left)) || System.nanoTime() < deadline;
        } catch (ErrnoException e) {
            throw new NoAnswerException("no " + what + ": cannot wait for the device", e);
        } finally {
            lock.lock();
            somebodyListens = false;
            progress.signalAll();
        }
        takeBack();
        return called;
    }

    private void awaitProgress(long nanos) {
        try {
            progress.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while waiting for the device", e);
        }
    }

    private void takeBack() {
        try {
            queue.drain(used -> {
                used.token().written = used.written();
                used.token().done = true;
            });
        } catch (BrokenDeviceException e) {
            throw new NoAnswerException("the device broke the ring", e);
        }
        progress.signalAll();
    }
}
