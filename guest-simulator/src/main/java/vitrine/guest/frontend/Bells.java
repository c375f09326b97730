package vitrine.guest.frontend;

import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Syscalls;

/// The eventfds of one queue. They outlive a stop: the next start hands over the same.
///
/// @param kick signalled by the driver
/// @param call signalled by the device
/// @param error signalled by the device that gives up
record Bells(EventFd kick, EventFd call, EventFd error) implements AutoCloseable {

    static Bells create(Syscalls sys) throws ErrnoException {
        return new Bells(EventFd.create(sys), EventFd.create(sys), EventFd.create(sys));
    }

    @Override
    public void close() {
        kick.close();
        call.close();
        error.close();
    }
}
