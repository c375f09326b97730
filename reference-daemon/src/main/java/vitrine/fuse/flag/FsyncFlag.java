package vitrine.fuse.flag;

/// How much of a file is made durable: `fuse_fsync_in.fsync_flags` (fuse.h: FUSE_FSYNC_FDATASYNC).
public enum FsyncFlag implements Flag {
    FDATASYNC(0, "7.1", "The data, and of the attributes only what is needed to read it.");

    private static final FsyncFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    FsyncFlag(int position, String since, String sentence) {
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
        return "FUSE_FSYNC_" + name();
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
