package vitrine.fuse.flag;

/// What is special about an inode: `fuse_attr.flags` (fuse.h: FUSE_ATTR_SUBMOUNT).
public enum AttrFlag implements Flag {
    SUBMOUNT(0, "7.32", "The directory is the root of another file system of the host."),
    DAX(1, "7.36", "The guest may use DAX for this file, if it was mounted so.");

    private static final AttrFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    AttrFlag(int position, String since, String sentence) {
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
        return "FUSE_ATTR_" + name();
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
