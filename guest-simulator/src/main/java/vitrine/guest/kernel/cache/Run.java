package vitrine.guest.kernel.cache;

/// Pages side by side.
///
/// @param first the number of the first
/// @param count how many
public record Run(long first, int count) {

    /// Where it begins in the file.
    public long offset() {
        return first * PageCache.PAGE;
    }

    /// Its size.
    public int bytes() {
        return count * PageCache.PAGE;
    }
}
