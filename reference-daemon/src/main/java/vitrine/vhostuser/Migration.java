package vitrine.vhostuser;

import java.util.Optional;
import vitrine.memory.GuestMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.message.MigrationMessage;
import vitrine.vhostuser.message.MigrationMessage.SetDeviceStateFd;
import vitrine.vhostuser.message.MigrationPayload.Transfer;
import vitrine.vhostuser.message.Payload;
import vitrine.wire.MalformedException;

/// A guest moves to another machine: obeys the messages that are about it.
///
/// ```
///  source   SET_LOG_BASE, features with LOG_ALL … the guest runs, and is copied …
///           rings stop, SET_DEVICE_STATE_FD(save), CHECK_DEVICE_STATE
///  target   SET_DEVICE_STATE_FD(load), CHECK_DEVICE_STATE, rings start
/// ```
///
/// The log is not a condition of the rest: a snapshot of a guest that stands still needs none.
final class Migration implements AutoCloseable {

    private static final int FAILED = 1;

    private final Syscalls sys;
    private final VirtioDevice device;
    private final Rings rings;
    private final Logging logging;

    Migration(Syscalls sys, VirtioDevice device, GuestMemory memory, Rings rings) {
        this.sys = sys;
        this.device = device;
        this.rings = rings;
        this.logging = new Logging(sys, memory);
    }

    /// Does what the message says.
    ///
    /// @param settled the protocol features
    /// @return the message's own answer, if it has one
    Optional<Payload> obey(MigrationMessage message, long settled) throws RefusedException, MalformedException {
        return switch (message) {
            case MigrationMessage.SetLogBase base -> {
                if ((settled & Features.LOG_SHMFD) == 0) {
                    base.closeFds();
                    throw new RefusedException("a log that nobody agreed on");
                }
                logging.handOver(base.place(), base.log());
                yield number(0);
            }
            case MigrationMessage.SetLogFd told -> {
                logging.tell(event(told.event()));
                yield Optional.empty();
            }
            case SetDeviceStateFd state -> number(SetDeviceStateFd.OWN_PIPE | (begin(state) ? 0 : FAILED));
            case MigrationMessage.CheckDeviceState _ -> number(isMoved() ? 0 : FAILED);
        };
    }

    /// Draws the conclusion of what was said about the log.
    ///
    /// @param features as the driver chose
    void settle(long features) throws RefusedException {
        logging.want((features & Features.LOG_ALL) != 0 || rings.wantLog());
    }

    /// The device is reset, or the front end has left: what was begun has no end.
    void cancel() {
        device.state().ifPresent(DeviceState::cancel);
    }

    @Override
    public void close() {
        cancel();
        logging.close();
    }

    /// The answer says no by itself, so this must not.
    private boolean begin(SetDeviceStateFd message) {
        Optional<DeviceState> state = device.state();
        try {
            if (state.isEmpty()) {
                throw new RefusedException("this device cannot move: its window is in the guest's memory");
            }
            if (rings.areServed() || message.transfer().phase() != Transfer.STOPPED) {
                throw new RefusedException("a device that is in use has no state that would last");
            }
            begin(state.get(), message);
            return true;
        } catch (RefusedException e) {
            message.closeFds();
            e.log("refused");
            return false;
        }
    }

    private static void begin(DeviceState state, SetDeviceStateFd message) throws RefusedException {
        try {
            switch (message.transfer().direction()) {
                case Transfer.SAVE -> state.save(message.pipe());
                case Transfer.LOAD -> state.load(message.pipe());
                default -> throw new RefusedException("neither to be saved nor to be loaded");
            }
        } catch (ErrnoException e) {
            throw new RefusedException("the device's state: " + e.getMessage());
        }
    }

    private boolean isMoved() {
        return device.state().map(DeviceState::isMoved).orElse(false);
    }

    private EventFd event(Fd fd) throws RefusedException {
        try {
            return EventFd.of(sys, fd);
        } catch (ErrnoException e) {
            throw new RefusedException(e.getMessage());
        }
    }

    private static Optional<Payload> number(long value) {
        return Optional.of(new Payload.Number(value));
    }
}
