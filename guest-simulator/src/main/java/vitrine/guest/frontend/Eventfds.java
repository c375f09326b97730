package vitrine.guest.frontend;

import java.time.Duration;
import java.util.List;
import vitrine.guest.driver.Doorbell;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// How a queue of a device behind a socket is kicked, and calls: two eventfds.
///
/// @param queue whose
public record Eventfds(Syscalls sys, FrontendQueue queue) implements Doorbell {

    @Override
    public void kick() {
        queue.kick().signal();
    }

    @Override
    public boolean awaitCall(Duration limit) throws ErrnoException {
        int millis = Math.clamp(limit.toMillis() + 1, 0, Integer.MAX_VALUE);
        if (sys.poll(List.of(queue.call().fd()), millis) == 0) {
            return false;
        }
        queue.call().drain();
        return true;
    }
}
