package vitrine.guest.kernel.rule;

/// Whether dirty pages are written now (`write_inode_now` and `filemap_write_and_wait_range` at
/// their places in Linux' FUSE).
///
/// @param why what happens to the file
/// @param dirty whether it has pages that the server has not got
/// @param timesDirty whether it has times that the server does not know
public record Flushing(Occasion why, boolean dirty, boolean timesDirty) implements Rule<Boolean> {

    /// What can happen to a file with dirty pages.
    public enum Occasion {
        /// fsync(2), msync(2) and O_SYNC.
        SYNC,
        /// close(2).
        CLOSE,
        /// munmap(2).
        UNMAP,
        /// sync(2) and syncfs(2).
        SYNC_ALL,
        /// A SETATTR that is no truncation.
        CHANGE,
        /// A transfer that passes the page cache by.
        DIRECT,
        /// copy_file_range(2), or a hole.
        RANGE,
        /// The pages are about to be dropped.
        DROP,
        /// SETATTR of size: what is cut off need not be written.
        TRUNCATE
    }

    @Override
    public String title() {
        return "pages: write now?";
    }

    @Override
    public Boolean outcome() {
        return why != Occasion.TRUNCATE && (dirty || timesDirty);
    }
}
