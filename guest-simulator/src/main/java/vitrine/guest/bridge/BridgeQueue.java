package vitrine.guest.bridge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.DriverQueue;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.Used;
import vitrine.posix.ErrnoException;

/// A virtqueue between the threads that submit and the one that takes back.
final class BridgeQueue {

    private final DriverQueue<Slot> queue;
    private final Doorbell doorbell;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();

    BridgeQueue(DriverQueue<Slot> queue, Doorbell doorbell) {
        this.queue = queue;
        this.doorbell = doorbell;
    }

    /// Offers a chain to the device, and wakes it if it sleeps. Waits while the queue is full.
    void submit(Slot slot, List<GuestRange> readable, List<GuestRange> writable)
            throws ErrnoException, InterruptedException {
        lock.lockInterruptibly();
        try {
            OptionalInt head = queue.add(readable, writable, slot);
            while (head.isEmpty()) {
                room.await();
                head = queue.add(readable, writable, slot);
            }
            if (queue.deviceWantsKick()) {
                doorbell.kick();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Takes back whatever the device is done with, and leaves with calls enabled.
    List<Used<Slot>> takeBack() throws BrokenDeviceException {
        lock.lock();
        try {
            List<Used<Slot>> done = new ArrayList<>();
            queue.drain(done::add);
            room.signalAll();
            return done;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the device's call.
    ///
    /// @return whether it came in time
    boolean awaitCall(Duration limit) throws ErrnoException {
        return doorbell.awaitCall(limit);
    }
}
