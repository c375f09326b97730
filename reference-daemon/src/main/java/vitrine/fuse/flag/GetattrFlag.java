package vitrine.fuse.flag;

/// How attributes are asked for: `getattr_flags` (fuse.h: FUSE_GETATTR_FH).
public enum GetattrFlag implements Flag {
    FH(0, "7.9", "fh says which open file is meant.");

    private static final GetattrFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    GetattrFlag(int position, String since, String sentence) {
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
        return "FUSE_GETATTR_" + name();
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
