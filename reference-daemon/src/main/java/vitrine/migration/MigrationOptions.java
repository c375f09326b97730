package vitrine.migration;

/// What the person who starts the daemon decides about moving its guest.
///
/// @param mode how files are found again
/// @param onError what becomes of a guest if one of its files is not
/// @param verifyHandles whether the source sends file handles too, so that the target can see that
///     a path leads to the very file
/// @param confirmPaths whether the source walks along each path before it sends it
public record MigrationOptions(Mode mode, OnError onError, boolean verifyHandles, boolean confirmPaths) {

    /// What holds unless something else is said.
    public static final MigrationOptions DEFAULT = new MigrationOptions(Mode.FIND_PATHS, OnError.ABORT, false, false);

    /// How files are found again.
    public enum Mode {
        /// By their paths in the shared directory: it may be a copy, on another machine.
        FIND_PATHS,
        /// By their file handles, whatever they are called by now: it must be the same file system.
        FILE_HANDLES
    }

    /// What the target does if it does not find a file.
    public enum OnError {
        /// The guest goes on at the source.
        ABORT,
        /// The guest moves, and hears `ESTALE` of that file.
        GUEST_ERROR
    }
}
