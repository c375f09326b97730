package vitrine.fuse.flag;

/// What a SETXATTR does beside its name: `fuse_setxattr_in.setxattr_flags` (fuse.h:
/// FUSE_SETXATTR_ACL_KILL_SGID).
public enum SetxattrFlag implements Flag {
    ACL_KILL_SGID(0, "7.33", "The caller may not keep the set-group-ID bit: clear it when the ACL is set.");

    private static final SetxattrFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    SetxattrFlag(int position, String since, String sentence) {
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
        return "FUSE_SETXATTR_" + name();
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
