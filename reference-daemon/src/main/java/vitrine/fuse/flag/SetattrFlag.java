package vitrine.fuse.flag;

/// Which attributes a SETATTR changes: `fuse_setattr_in.valid` (fuse.h: FATTR_MODE). None at all is
/// an attempt of an old kernel to clear set-ID bits.
public enum SetattrFlag implements Flag {
    MODE(0, "7.1", "mode is new."),
    UID(1, "7.1", "uid is new."),
    GID(2, "7.1", "gid is new."),
    SIZE(3, "7.1", "size is new: truncate(2)."),
    ATIME(4, "7.1", "atime is new."),
    MTIME(5, "7.1", "mtime is new."),
    FH(6, "7.3", "fh says which open file is meant."),
    ATIME_NOW(7, "7.9", "atime is the time of the host."),
    MTIME_NOW(8, "7.9", "mtime is the time of the host."),
    LOCKOWNER(9, "7.9", "lock_owner means something."),
    CTIME(10, "7.23", "ctime is new: with write-back the guest keeps it."),
    KILL_SUIDGID(11, "7.33", "The caller may not keep set-ID bits: clear them with the change.");

    private static final SetattrFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    SetattrFlag(int position, String since, String sentence) {
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
        return "FATTR_" + name();
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
