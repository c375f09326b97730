package vitrine.conformance.locks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import vitrine.fuse.FuseRequest;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Syscalls;
import vitrine.posix.WakeUp;
import vitrine.session.QueueWorker;

/// A queue and the thread that serves it.
record Line(ChainList chains, QueueWorker worker, EventFd kick, WakeUp wakeUp, Thread thread) {

    static Line serve(Syscalls sys, ChainList chains, QueueWorker worker) throws ErrnoException {
        EventFd kick = EventFd.create(sys);
        WakeUp wakeUp = new WakeUp(sys, kick);
        Thread thread = Thread.ofPlatform().daemon().start(() -> worker.run(wakeUp));
        return new Line(chains, worker, kick, wakeUp, thread);
    }

    /// Sends a request, and returns the head of its chain.
    int send(FuseRequest request) {
        int head = chains.add(request);
        kick.signal();
        return head;
    }

    /// As a device does it.
    void stop() {
        worker.stop();
        wakeUp.stop();
        try {
            assertTrue(thread.join(Duration.ofSeconds(10)), "the queue's thread stops");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
