package vitrine.guest.qemu;

import java.nio.file.Path;

/// The folder that a guest sees, and how it sees it.
///
/// @param directory    the folder on the host; in the guest it is `/mnt`
/// @param tag          the name the device announces and the guest mounts
/// @param mountOptions for `mount -o`, for instance `dax=never`; empty for none
/// @param queueSize    descriptors in each virtqueue, a power of two, at most 1024 in QEMU
/// @param queues       queues for requests; the daemon must have as many
/// @param window       whether the device is one that has room for a DAX window, and leaves the tag
///                     to the daemon: QEMU's for any vhost-user back end, since version 11
public record Share(Path directory, String tag, String mountOptions, int queueSize, int queues, boolean window) {

    /// The device's tag unless another is asked for.
    public static final String DEFAULT_TAG = "share";

    /// The largest ring that QEMU makes; its own default of 128 is small for a file system.
    public static final int DEFAULT_QUEUE_SIZE = 1024;

    /// A share with the usual tag, queue size and no mount options.
    public static Share of(Path directory) {
        return new Share(directory, DEFAULT_TAG, "", DEFAULT_QUEUE_SIZE, 1, false);
    }

    /// The same share, mounted with these options.
    public Share mountedWith(String options) {
        return new Share(directory, tag, options, queueSize, queues, window);
    }

    /// The same share under another tag.
    public Share tagged(String otherTag) {
        return new Share(directory, otherTag, mountOptions, queueSize, queues, window);
    }

    /// The same share with more queues for requests.
    public Share withQueues(int otherQueues) {
        return new Share(directory, tag, mountOptions, queueSize, otherQueues, window);
    }

    /// The same share, on a device that has room for a DAX window, and mounted to use it.
    ///
    /// @param mode `always`, or `inode` for the files that the daemon chooses
    public Share withDax(String mode) {
        String option = "dax=" + mode;
        return new Share(
                directory, tag, mountOptions.isEmpty() ? option : mountOptions + "," + option, queueSize, queues, true);
    }
}
