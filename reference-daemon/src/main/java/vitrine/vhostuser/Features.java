package vitrine.vhostuser;

/// The feature bits this back end knows, as masks.
///
/// There are two sets. The virtio features end up with the driver in the guest; the protocol
/// features are settled between front end and back end, and the guest never hears of them
/// (vhost-user: "Protocol features").
public final class Features {

    /// Not a virtio feature: what the device writes to the guest's memory is to be logged. It sits
    /// among the virtio bits, and is set while the front end copies the guest
    /// (vhost-user: `VHOST_F_LOG_ALL`).
    public static final long LOG_ALL = 1L << 26;

    /// Virtio feature: descriptors may point to a table of descriptors (virtio 1.3, 2.7.5.3).
    public static final long INDIRECT_DESC = 1L << 28;

    /// Virtio feature: kicks and calls are asked for by index (virtio 1.3, 2.7.7, 2.7.10).
    public static final long EVENT_IDX = 1L << 29;

    /// Not a virtio feature: protocol features exist. It sits among the virtio bits of
    /// GET_FEATURES and SET_FEATURES; a front end that does not set it gets its rings enabled from
    /// the start (vhost-user: "Ring states").
    public static final long PROTOCOL_FEATURES = 1L << 30;

    /// Virtio feature: the device follows virtio 1.0 or later (virtio 1.3, 6).
    public static final long VERSION_1 = 1L << 32;

    /// Virtio feature: all queues are packed ones (virtio 1.3, 2.8).
    public static final long RING_PACKED = 1L << 34;

    /// Protocol feature: the number of queues can be asked for.
    public static final long MQ = 1L;

    /// Protocol feature: the log of writes is in memory that the front end hands over.
    public static final long LOG_SHMFD = 1L << 1;

    /// Protocol feature: a message may ask for an acknowledgement.
    public static final long REPLY_ACK = 1L << 3;

    /// Protocol feature: there is a second socket, on which the back end may ask.
    public static final long BACKEND_REQ = 1L << 5;

    /// Protocol feature: the back end, not the front end, makes the configuration space.
    public static final long CONFIG = 1L << 9;

    /// Protocol feature: requests on the second socket may carry file descriptors.
    public static final long BACKEND_SEND_FD = 1L << 10;

    /// Protocol feature: the front end says when the driver resets the device.
    public static final long RESET_DEVICE = 1L << 13;

    /// Protocol feature: memory regions come and go one at a time.
    public static final long CONFIGURE_MEM_SLOTS = 1L << 15;

    /// Protocol feature: the device's own state can be moved to another back end.
    public static final long DEVICE_STATE = 1L << 19;

    /// Protocol feature: the device has windows in guest memory, and asks the front end to fill
    /// them. Bit 21, which some early implementations use for it, is another feature.
    public static final long SHMEM = 1L << 22;

    private Features() {}
}
