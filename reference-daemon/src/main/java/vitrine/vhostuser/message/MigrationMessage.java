package vitrine.vhostuser.message;

import java.util.List;
import vitrine.posix.Fd;

/// Messages by which a guest moves to another machine, and the device with it.
public sealed interface MigrationMessage extends FrontendMessage {

    /// Hands over the log of writes. Answered with a number, even if nobody asks for an
    /// acknowledgement.
    ///
    /// @param place which part of the file it is
    /// @param log what to map
    record SetLogBase(MigrationPayload.Log place, Fd log) implements MigrationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_LOG_BASE;
        }

        @Override
        public Payload payload() {
            return place;
        }

        @Override
        public List<Fd> fds() {
            return List.of(log);
        }
    }

    /// Hands over what the back end signals when it has logged something.
    record SetLogFd(Fd event) implements MigrationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_LOG_FD;
        }

        @Override
        public List<Fd> fds() {
            return List.of(event);
        }
    }

    /// Begins to move the device's state. Answered with a number: its lowest byte is 0 if
    /// it was begun, and [#OWN_PIPE] says that no other pipe is handed back.
    ///
    /// @param transfer which way
    /// @param pipe to be written, or read to its end
    record SetDeviceStateFd(MigrationPayload.Transfer transfer, Fd pipe) implements MigrationMessage {

        /// In the answer: the pipe that came along is used.
        public static final int OWN_PIPE = 1 << 8;

        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_DEVICE_STATE_FD;
        }

        @Override
        public Payload payload() {
            return transfer;
        }

        @Override
        public List<Fd> fds() {
            return List.of(pipe);
        }
    }

    /// Asks, after the end of the pipe, whether all went well. Answered with a number, 0 for yes.
    record CheckDeviceState() implements MigrationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.CHECK_DEVICE_STATE;
        }
    }
}
