package vitrine.vhostuser.message;

/// The numbers of the messages that a front end sends (vhost-user: "Front-end message types").
///
/// Only what this project speaks is listed. Any other number is a [FrontendMessage.Unsupported].
public enum FrontendRequest {
    GET_FEATURES(1, "Which virtio features does the device offer?"),
    SET_FEATURES(2, "The driver chose these virtio features."),
    SET_OWNER(3, "This connection is now in charge of the device."),
    RESET_OWNER(4, "Obsolete; its meaning was never agreed on."),
    SET_MEM_TABLE(5, "This is the guest's memory, all of it."),
    SET_LOG_BASE(6, "Log here which pages of the guest's memory are written to."),
    SET_LOG_FD(7, "Signal here when something was logged."),
    SET_VRING_NUM(8, "A ring has this many entries."),
    SET_VRING_ADDR(9, "A ring's three areas are there."),
    SET_VRING_BASE(10, "A ring goes on at this available index."),
    GET_VRING_BASE(11, "Stop a ring, and say at which available index."),
    SET_VRING_KICK(12, "A ring's kicks arrive here; this starts it."),
    SET_VRING_CALL(13, "Signal a ring's calls here."),
    SET_VRING_ERR(14, "Signal here if a ring is broken."),
    GET_PROTOCOL_FEATURES(15, "Which protocol features does the back end offer?"),
    SET_PROTOCOL_FEATURES(16, "The front end chose these protocol features."),
    GET_QUEUE_NUM(17, "How many queues are there?"),
    SET_VRING_ENABLE(18, "A ring is to be processed, or not."),
    SET_BACKEND_REQ_FD(21, "Here is the socket on which the back end may ask."),
    GET_CONFIG(24, "What is in this part of the configuration space?"),
    SET_CONFIG(25, "Write this into the configuration space."),
    RESET_DEVICE(34, "The driver reset the device."),
    GET_MAX_MEM_SLOTS(36, "How many memory regions can there be at once?"),
    ADD_MEM_REG(37, "The guest has this memory too."),
    REM_MEM_REG(38, "The guest no longer has this memory."),
    SET_DEVICE_STATE_FD(42, "Write the device's state here, or read it."),
    CHECK_DEVICE_STATE(43, "Has all of the device's state been written or read?"),
    GET_SHMEM_CONFIG(44, "How large are the device's windows in guest memory?");

    private static final FrontendRequest[] BY_NUMBER = new FrontendRequest[64];

    static {
        for (FrontendRequest request : values()) {
            BY_NUMBER[request.number] = request;
        }
    }

    private final int number;
    private final String sentence;

    FrontendRequest(int number, String sentence) {
        this.number = number;
        this.sentence = sentence;
    }

    /// The request with this number, or null if this project does not speak it.
    public static FrontendRequest of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /// The number on the wire.
    public int number() {
        return number;
    }

    /// What the front end says with it, in one sentence.
    public String sentence() {
        return sentence;
    }
}
