package vitrine.guest.kernel;

/// Memory of a program in which it sees a file (mmap(2)).
///
/// @param file the open file; it stays open until the mapping ends
/// @param offset where the memory begins in the file
/// @param length in bytes
/// @param use what the program may do there
public record FileMapping(OpenFile file, long offset, long length, Use use) {

    /// What a program may do.
    public enum Use {
        /// Load, `PROT_READ`.
        LOAD,
        /// Load and store, and whoever else has the file sees it: `MAP_SHARED`.
        SHARE,
        /// Load and store; what was stored stays with the program: `MAP_PRIVATE`. The kernel hears
        /// of the loads alone.
        KEEP
    }

    /// Whether stores are to reach the file.
    public boolean isShared() {
        return use == Use.SHARE;
    }
}
