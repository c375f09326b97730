package vitrine.vhostuser;

import vitrine.memory.DirtyLog;
import vitrine.memory.GuestMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.message.MigrationPayload;
import vitrine.wire.MalformedException;

/// The log of writes, for a front end that copies a running guest to another machine.
///
/// The log is handed over before it is asked for, or after it (QEMU does the latter when a driver
/// starts the device while the guest is being copied). Both say so in their own message, so the
/// conclusion is drawn after each: what is asked for is logged as soon as there is a log.
/// [Features#LOG_ALL] asks for everything. A ring that asks for itself alone gets everything too:
/// a page too many does no harm.
final class Logging implements AutoCloseable {

    private final Syscalls sys;
    private final GuestMemory memory;
    private final ExchangeableEvent told = new ExchangeableEvent();
    private DirtyLog log; // null: none was handed over
    private boolean wanted;

    Logging(Syscalls sys, GuestMemory memory) {
        this.sys = sys;
        this.memory = memory;
    }

    /// Takes over a log, instead of the one before.
    ///
    /// @throws MalformedException if it is none: the answer has no way to say so, and a guest whose
    ///     writes are missing in the copy is worse off than one that does not move
    void handOver(MigrationPayload.Log place, Fd fd) throws MalformedException {
        try (fd) {
            DirtyLog before = log;
            DirtyLog next = DirtyLog.map(sys, fd, place.offset(), place.size(), told);
            try {
                memory.log(wanted ? next : null);
            } catch (ErrnoException e) {
                next.close();
                throw e;
            }
            log = next;
            if (before != null) {
                before.close();
            }
        } catch (ErrnoException e) {
            throw new MalformedException("SET_LOG_BASE: " + e.getMessage());
        }
    }

    /// What is signalled when something was logged.
    void tell(EventFd event) {
        told.exchange(event);
    }

    /// Logs from now on, or not any more.
    void want(boolean on) throws RefusedException {
        if (on == wanted) {
            return;
        }
        try {
            memory.log(on ? log : null);
            wanted = on;
        } catch (ErrnoException e) {
            throw new RefusedException("writes cannot be logged: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            memory.log(null);
        } catch (ErrnoException e) {
            throw new IllegalStateException("nothing needs no room", e);
        }
        if (log != null) {
            log.close();
            log = null;
        }
        told.close();
    }
}
