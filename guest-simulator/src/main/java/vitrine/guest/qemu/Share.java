package vitrine.guest.qemu;

import java.nio.file.Path;

/// The folder that a guest sees, and how it sees it.
///
/// @param directory    the folder on the host; in the guest it is `/mnt`
/// @param tag          the name the device announces and the guest mounts
/// @param mountOptions for `mount -o`, for instance `dax=never`; empty for none
/// @param queues       how its device's queues are made
/// @param window       whether the device is one that has room for a DAX window, and leaves the tag
///                     to the daemon: QEMU's for any vhost-user back end, since version 11
public record Share(Path directory, String tag, String mountOptions, Queues queues, boolean window) {

    /// The device's tag unless another is asked for.
    public static final String DEFAULT_TAG = "share";

    /// The virtqueues of a device.
    ///
    /// @param size   descriptors in each, a power of two, at most 1024 in QEMU
    /// @param count  those for requests; the daemon must have as many
    /// @param packed whether they are packed ones, if the daemon knows them
    public record Queues(int size, int count, boolean packed) {

        /// The largest ring that QEMU makes; its own default of 128 is small for a file system.
        public static final int LARGEST = 1024;

        /// One, as large as can be, and split.
        public static final Queues USUAL = new Queues(LARGEST, 1, false);

        /// The same, but packed.
        public Queues asPacked() {
            return new Queues(size, count, true);
        }

        /// The same, but so many.
        public Queues of(int others) {
            return new Queues(size, others, packed);
        }
    }

    /// A share with the usual tag, queue size and no mount options.
    public static Share of(Path directory) {
        return new Share(directory, DEFAULT_TAG, "", Queues.USUAL, false);
    }

    /// The same share, mounted with these options.
    public Share mountedWith(String options) {
        return new Share(directory, tag, options, queues, window);
    }

    /// The same share under another tag.
    public Share tagged(String otherTag) {
        return new Share(directory, otherTag, mountOptions, queues, window);
    }

    /// The same share with other queues.
    public Share withQueues(Queues others) {
        return new Share(directory, tag, mountOptions, others, window);
    }

    /// The same share, on a device that has room for a DAX window, and mounted to use it.
    ///
    /// @param mode `always`, or `inode` for the files that the daemon chooses
    public Share withDax(String mode) {
        String option = "dax=" + mode;
        return new Share(directory, tag, mountOptions.isEmpty() ? option : mountOptions + "," + option, queues, true);
    }
}
