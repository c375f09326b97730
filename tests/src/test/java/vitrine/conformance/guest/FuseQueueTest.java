package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.DriverQueue;
import vitrine.guest.driver.FuseQueue;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.IndirectTables;
import vitrine.guest.driver.RequestQueue;
import vitrine.guest.driver.SplitDriverQueue;
import vitrine.memory.MappedMemory;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;
import vitrine.virtqueue.SplitDeviceQueue;
import vitrine.virtqueue.SplitRing;

/// A driver's queue that several threads use: nobody sleeps on with an answer that is there.
@Timeout(60)
class FuseQueueTest {

    private static final int SIZE = 4;
    private static final FuseRequest REQUEST = new SessionRequest.Destroy(InHeader.of(2, 0, 0, 0, 0));

    private final MemorySegment ram = Arena.ofAuto().allocate(4096, 8);
    private final MemorySegment desc = Arena.ofAuto().allocate(RingFormat.SPLIT.descriptorBytes(SIZE), 16);
    private final MemorySegment avail = Arena.ofAuto().allocate(RingFormat.SPLIT.driverBytes(SIZE), 16);
    private final MemorySegment used = Arena.ofAuto().allocate(RingFormat.SPLIT.deviceBytes(SIZE), 16);
    private final Bells bells = new Bells();

    /// Calls that are there for one thread only, as on an eventfd.
    private static final class Bells implements Doorbell {
        final CountDownLatch listening = new CountDownLatch(1);
        final Semaphore calls = new Semaphore(0);

        @Override
        public void kick() {}

        @Override
        public boolean awaitCall(Duration limit) {
            listening.countDown();
            try {
                return calls.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private SplitRing ring() {
        return new SplitRing(
                new RingAreas(SIZE, new MappedMemory(desc), new MappedMemory(avail), new MappedMemory(used)));
    }

    private static RequestQueue.Pending add(FuseQueue queue) {
        return queue.add(REQUEST, List.of(new GuestRange(0, 16)), List.of());
    }

    /// A device calls for what it has put into the used ring only if the driver had asked for it
    /// (virtio 1.3, 2.7.7.2). If a second thread takes back what the first one listens for, the
    /// device is right not to call, and the first thread never hears of it.
    ///
    /// Seen to catch: a thread that takes chains back while another one listens for the call.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoListensHearsOfWhatIsDone(boolean eventIndex) throws Exception {
        DriverQueue<RequestQueue.Pending> ends =
                new SplitDriverQueue<>(ring(), eventIndex, IndirectTables.none(), new SplittableRandom(1));
        FuseQueue queue = new FuseQueue(ends, bells, Duration.ofMinutes(5));
        SplitDeviceQueue device = new SplitDeviceQueue(ring(), new OnePiece(ram), eventIndex, 0);
        RequestQueue.Pending first = add(queue);
        Thread listener = Thread.ofPlatform().daemon().start(() -> queue.await(REQUEST, first));
        bells.listening.await();

        RequestQueue.Pending second = add(queue);
        for (var chain = device.pop(); chain.isPresent(); chain = device.pop()) {
            device.push(chain.map(DescriptorChain::head).orElseThrow(), 0);
        }
        Thread other = Thread.ofPlatform().daemon().start(() -> queue.await(REQUEST, second));
        while (other.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait(); // until it waits too, or has taken back what is there
        }
        if (device.driverWantsCall()) {
            bells.calls.release();
        }

        assertTrue(listener.join(Duration.ofSeconds(20)));
        assertTrue(other.join(Duration.ofSeconds(20)));
    }
}
