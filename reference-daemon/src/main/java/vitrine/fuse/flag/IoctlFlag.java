package vitrine.fuse.flag;

/// How an IOCTL came about, and how its answer is to be taken (fuse.h: FUSE_IOCTL_COMPAT).
public enum IoctlFlag implements Flag {
    COMPAT(0, "7.11", "The caller is a 32-bit program on a 64-bit kernel."),
    UNRESTRICTED(1, "7.11", "The answer may ask for any memory of the caller."),
    RETRY(2, "7.11", "Send the request once more, with the memory asked for."),
    BITS_32(3, "7.16", "The caller is a 32-bit program."),
    DIR(4, "7.18", "The file is a directory."),
    COMPAT_X32(5, "7.30", "The caller is an x32 program: long is 32 bits, time_t is 64.");

    private static final IoctlFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    IoctlFlag(int position, String since, String sentence) {
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
        return this == BITS_32 ? "FUSE_IOCTL_32BIT" : "FUSE_IOCTL_" + name();
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
