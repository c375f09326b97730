package vitrine.passthrough.held;

import vitrine.posix.FileStatus;

/// Where [InodeTable] looks for a host file, whatever it is called: two names of one file have
/// equal keys.
///
/// The mount belongs to it. One directory that is bind-mounted at two places has the same device
/// and inode number at both, but may have another file system mounted inside at only one of them:
/// as one nodeid, the guest would see the wrong tree in one of the two.
///
/// Two files have equal keys only one after the other: an inode number is used again once its file
/// is gone. The time of birth is no part of the key, although it would tell most of them apart:
/// overlayfs shows another one from the first write on.
///
/// @param device the host's device number
/// @param ino the host's inode number
/// @param mountId the mount that the file was reached through (`statx(2)`: `STATX_MNT_ID`)
public record FileKey(long device, long ino, long mountId) {

    /// The key of the file that has this status.
    public static FileKey of(FileStatus status) {
        return new FileKey(status.dev(), status.ino(), status.mountId());
    }

    /// Whether another file is on the same file system, reached through the same mount.
    public boolean isBeside(FileKey other) {
        return device == other.device && mountId == other.mountId;
    }

    /// Of the inode number alone: within a share, little else differs. By hand, as the record's own
    /// would be made by the JVM at the first lookup, while the guest waits.
    @Override
    public int hashCode() {
        return Long.hashCode(ino);
    }
}
