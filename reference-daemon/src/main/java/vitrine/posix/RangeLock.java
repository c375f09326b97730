package vitrine.posix;

/// A lock on a range of a file, as fcntl(2) has it in `struct flock`.
///
/// @param type `F_RDLCK`, `F_WRLCK` or `F_UNLCK` of [Fcntl]
/// @param start the first byte
/// @param end the last byte; [#END_OF_FILE] for all that is there now or later
public record RangeLock(int type, long start, long end) {

    /// The last byte that a file can have (`OFFSET_MAX`): the range ends where the file does.
    public static final long END_OF_FILE = Long.MAX_VALUE;

    /// From `l_start` and `l_len`, where a length of 0 reaches to the end of the file.
    static RangeLock ofLength(int type, long start, long length) {
        return new RangeLock(type, start, length == 0 ? END_OF_FILE : start + length - 1);
    }

    /// `l_len`.
    long length() {
        return end == END_OF_FILE ? 0 : end - start + 1;
    }

    /// Whether it takes a lock away, or says that there is none.
    public boolean isUnlock() {
        return type == Fcntl.F_UNLCK;
    }
}
