package vitrine.fuse.flag;

/// Which kind of lock a request means: `fuse_lk_in.lk_flags` (fuse.h: FUSE_LK_FLOCK).
public enum LockFlag implements Flag {
    FLOCK(0, "7.9", "A lock of flock(2), not of fcntl(2).");

    private static final LockFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    LockFlag(int position, String since, String sentence) {
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
        return "FUSE_LK_" + name();
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
