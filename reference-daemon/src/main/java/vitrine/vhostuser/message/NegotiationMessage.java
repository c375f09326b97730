package vitrine.vhostuser.message;

import java.util.List;
import vitrine.posix.Fd;

/// Messages about the device as a whole: who may do what, and starting afresh.
public sealed interface NegotiationMessage extends FrontendMessage {

    /// Asks for the virtio features. Answered with a number.
    record GetFeatures() implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.GET_FEATURES;
        }
    }

    /// Settles the virtio features: what the driver chose, and
    /// [vitrine.vhostuser.Features#PROTOCOL_FEATURES] if the front end knows about those.
    record SetFeatures(long features) implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_FEATURES;
        }

        @Override
        public Payload payload() {
            return new Payload.Number(features);
        }
    }

    /// Begins the session; there is nothing else to it.
    record SetOwner() implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_OWNER;
        }
    }

    /// Obsolete. Some took it to mean "stop the rings", others "forget the session"; the
    /// specification advises to ignore it.
    record ResetOwner() implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.RESET_OWNER;
        }
    }

    /// Asks for the protocol features; allowed before SET_FEATURES. Answered with a number.
    record GetProtocolFeatures() implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.GET_PROTOCOL_FEATURES;
        }
    }

    /// Settles the protocol features.
    record SetProtocolFeatures(long features) implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_PROTOCOL_FEATURES;
        }

        @Override
        public Payload payload() {
            return new Payload.Number(features);
        }
    }

    /// Asks for the number of queues. Answered with a number.
    record GetQueueNum() implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.GET_QUEUE_NUM;
        }
    }

    /// Hands over the socket on which the back end may ask the front end.
    record SetBackendReqFd(Fd socket) implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_BACKEND_REQ_FD;
        }

        @Override
        public List<Fd> fds() {
            return List.of(socket);
        }
    }

    /// Asks for the windows that the device fills in the guest's memory. Answered with
    /// [WindowPayload.Sizes].
    record GetShmemConfig() implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.GET_SHMEM_CONFIG;
        }
    }

    /// The driver reset the device: all rings stop, and the device is as new.
    record ResetDevice() implements NegotiationMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.RESET_DEVICE;
        }
    }
}
