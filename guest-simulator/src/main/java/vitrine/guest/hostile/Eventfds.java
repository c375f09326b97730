package vitrine.guest.hostile;

import java.time.Duration;
import java.util.List;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// How a queue is kicked, and calls: two eventfds.
record Eventfds(Syscalls sys, FrontendQueue queue) implements Doorbell {

    @Override
    public void kick() {
        queue.kick().signal();
    }

    @Override
    public boolean awaitCall(Duration limit) throws ErrnoException {
        boolean called = sys.poll(List.of(queue.call().fd()), Math.toIntExact(limit.toMillis())) != 0;
        queue.call().drain();
        return called;
    }
}
