package vitrine.dax;

/// Which files the guest is told to use through the window (fuse.h: FUSE_ATTR_DAX).
///
/// A guest that was mounted with `dax=always` does not ask, one with `dax=never` does not listen.
public sealed interface DaxPolicy {

    /// None, and there is no window.
    record Never() implements DaxPolicy {}

    /// All regular files.
    record Always() implements DaxPolicy {}

    /// Those that somebody has marked on the host (`FS_XFLAG_DAX`, chattr(1): `x`).
    ///
    /// @param cached whether what was read is kept while the file's ctime stays, see [DaxFlag]
    record Marked(boolean cached) implements DaxPolicy {}

    /// Those of at least so many bytes: to set a mapping up costs more than to read a small file.
    record Large(long least) implements DaxPolicy {

        /// As much as one READ can fetch.
        public static final long USUAL = 1 << 20;
    }
}
