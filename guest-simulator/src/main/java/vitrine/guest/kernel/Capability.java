package vitrine.guest.kernel;

/// The capabilities of a guest's process that the file system asks for (capabilities(7)).
public enum Capability {
    /// May give a file to another owner or group.
    CHOWN,
    /// May read, write and search whatever the permissions say.
    DAC_OVERRIDE,
    /// May read files and search directories whatever the permissions say.
    DAC_READ_SEARCH,
    /// Counts as the owner of every file.
    FOWNER,
    /// Keeps the set-ID bits of files that it writes to.
    FSETID,
    /// May make a file immutable, or for appending only.
    LINUX_IMMUTABLE,
    /// May make device nodes.
    MKNOD,
    /// May set capabilities of files.
    SETFCAP,
    /// May set trusted and security attributes.
    SYS_ADMIN
}
