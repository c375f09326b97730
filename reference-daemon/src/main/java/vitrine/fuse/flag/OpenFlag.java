package vitrine.fuse.flag;

/// What an OPEN or CREATE does beside the open(2) flags: `open_flags` of the request (fuse.h:
/// FUSE_OPEN_KILL_SUIDGID).
public enum OpenFlag implements Flag {
    KILL_SUIDGID(0, "7.33", "The opener may not keep set-ID bits: clear them when O_TRUNC truncates.");

    private static final OpenFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    OpenFlag(int position, String since, String sentence) {
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
        return "FUSE_OPEN_" + name();
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
