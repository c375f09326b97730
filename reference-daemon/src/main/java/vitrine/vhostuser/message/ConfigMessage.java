package vitrine.vhostuser.message;

/// Messages about the configuration space, where the back end makes it (virtio 1.3, 2.5).
public sealed interface ConfigMessage extends FrontendMessage {

    /// Asks for a part. Answered with a part of the same shape, or with nothing for "no".
    record GetConfig(Payload.Config part) implements ConfigMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.GET_CONFIG;
        }

        @Override
        public Payload payload() {
            return part;
        }
    }

    /// Writes a part.
    record SetConfig(Payload.Config part) implements ConfigMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_CONFIG;
        }

        @Override
        public Payload payload() {
            return part;
        }
    }
}
