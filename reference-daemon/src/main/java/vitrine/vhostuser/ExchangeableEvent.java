package vitrine.vhostuser;

import vitrine.posix.EventFd;
import vitrine.posix.Fd;

/// A ring's call or error eventfd: the control thread exchanges it, QEMU does so several times
/// around each start, while the thread that serves the ring signals it.
///
/// The lock is what makes this safe: without it the number of a descriptor that was just closed
/// could already belong to another file, and the signal would be written into that.
final class ExchangeableEvent implements EventFd {

    private EventFd current; // null: the driver does not want to be told

    /// Puts another in its place and closes the one before.
    ///
    /// @param next null for none
    synchronized void exchange(EventFd next) {
        close();
        current = next;
    }

    @Override
    public synchronized void signal() {
        if (current != null) {
            current.signal();
        }
    }

    @Override
    public synchronized long drain() {
        return current == null ? 0 : current.drain();
    }

    @Override
    public synchronized Fd fd() {
        if (current == null) {
            throw new IllegalStateException("the front end gave no eventfd");
        }
        return current.fd();
    }

    @Override
    public synchronized void close() {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}
