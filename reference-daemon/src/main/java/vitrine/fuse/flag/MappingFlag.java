package vitrine.fuse.flag;

/// How a DAX mapping may be used: `fuse_setupmapping_in.flags` (fuse.h:
/// FUSE_SETUPMAPPING_FLAG_WRITE).
public enum MappingFlag implements Flag {
    WRITE(0, "7.31", "The guest may write through it."),
    READ(1, "7.31", "The guest may read through it; Linux always says so.");

    private static final MappingFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    MappingFlag(int position, String since, String sentence) {
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
        return "FUSE_SETUPMAPPING_FLAG_" + name();
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
