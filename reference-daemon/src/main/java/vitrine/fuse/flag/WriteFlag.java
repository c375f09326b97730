package vitrine.fuse.flag;

/// How a WRITE came about: `fuse_write_in.write_flags` (fuse.h: FUSE_WRITE_CACHE).
public enum WriteFlag implements Flag {
    CACHE(0, "7.9", "The data is a page of the guest's cache: its place is settled, its handle is any that may write."),
    LOCKOWNER(1, "7.9", "lock_owner means something."),
    KILL_SUIDGID(2, "7.31", "The writer may not keep set-ID bits: clear them with the write.");

    private static final WriteFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    WriteFlag(int position, String since, String sentence) {
        this.bit = 1L << position;
        this.since = since;
        this.sentence = sentence;
    }

    /// The names of the flags in `word`, joined by `|`.
    public static String describe(long word) {
        return Flag.describe(word, ALL);
    }

    @Override
    public String cName() {
        return "FUSE_WRITE_" + name();
    }

    @Override
    public long bit() {
        return bit;
    }

    @Override
    public String since() {
        return since;
    }

    @Override
    public String sentence() {
        return sentence;
    }
}
