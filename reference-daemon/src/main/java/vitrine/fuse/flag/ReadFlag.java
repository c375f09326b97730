package vitrine.fuse.flag;

/// How a READ came about: `fuse_read_in.read_flags` (fuse.h: FUSE_READ_LOCKOWNER).
public enum ReadFlag implements Flag {
    LOCKOWNER(1, "7.9", "lock_owner means something.");

    private static final ReadFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    ReadFlag(int position, String since, String sentence) {
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
        return "FUSE_READ_" + name();
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
