package vitrine.fuse.flag;

/// What goes with the last close: `fuse_release_in.release_flags` (fuse.h: FUSE_RELEASE_FLUSH).
public enum ReleaseFlag implements Flag {
    FLUSH(0, "7.8", "Flush first."),
    FLOCK_UNLOCK(1, "7.17", "Give up the flock(2) lock of lock_owner.");

    private static final ReleaseFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    ReleaseFlag(int position, String since, String sentence) {
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
        return "FUSE_RELEASE_" + name();
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
