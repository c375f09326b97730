package vitrine.guest.kernel.dax;

/// Which files of the mount are used through the window: the mount option `dax=`.
public enum DaxMode {
    /// `dax=never`, and Linux before 5.17 without the option.
    NEVER,
    /// `dax=always`: each regular file.
    ALWAYS,
    /// `dax=inode`, and Linux 5.17 and later without the option: those that the server names.
    INODE
}
