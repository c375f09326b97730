package vitrine.daemon;

import vitrine.migration.Movable;
import vitrine.migration.Transfer;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.DeviceState;

/// The session and all that the guest holds, as a vhost-user back end moves it.
final class MovedState implements DeviceState {

    private final Syscalls sys;
    private final Movable session;
    private Transfer transfer; // null: none was begun

    MovedState(Syscalls sys, Movable session) {
        this.sys = sys;
        this.session = session;
    }

    @Override
    public void save(Fd pipe) throws ErrnoException {
        cancel();
        transfer = Transfer.save(sys, pipe, session);
    }

    @Override
    public void load(Fd pipe) throws ErrnoException {
        cancel();
        transfer = Transfer.load(sys, pipe, session);
    }

    @Override
    public boolean isMoved() {
        return transfer == null || transfer.isDone();
    }

    @Override
    public void cancel() {
        if (transfer != null) {
            transfer.cancel();
            transfer = null;
        }
    }
}
