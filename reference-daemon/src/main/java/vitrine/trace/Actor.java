package vitrine.trace;

/// Who did what an event tells of: one lane of the picture, one interface of the capture file.
///
/// The names are written to capture files, and the order numbers the interfaces there: they stay as
/// they are, new ones are added at the end.
public enum Actor {
    /// A process in the guest.
    GUEST_PROGRAM("guest program"),
    /// The guest kernel's FUSE client: caches, decisions, requests.
    GUEST_KERNEL("guest kernel"),
    /// The guest's virtio-fs driver: the other end of each virtqueue.
    DRIVER("driver"),
    /// The front end of vhost-user: QEMU, or our own.
    FRONT_END("front end"),
    /// The daemon: back end, queue workers, FUSE session, file system.
    DAEMON("daemon"),
    /// The host kernel, as the daemon's system calls see it.
    HOST("host");

    private final String title;

    Actor(String title) {
        this.title = title;
    }

    /// The name to show, such as `guest kernel`.
    public String title() {
        return title;
    }
}
