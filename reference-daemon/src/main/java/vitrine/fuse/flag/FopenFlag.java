package vitrine.fuse.flag;

/// How the guest should treat an open file: `fuse_open_out.open_flags` (fuse.h: FOPEN_DIRECT_IO).
public enum FopenFlag implements Flag {
    DIRECT_IO(0, "7.2", "Reads and writes pass the guest's page cache by."),
    KEEP_CACHE(1, "7.2", "What the guest has cached of the file stays valid."),
    NONSEEKABLE(2, "7.10", "The file has no position."),
    CACHE_DIR(3, "7.28", "The guest may cache the entries of this directory."),
    STREAM(4, "7.31", "The file is a stream: no position, no lock around it."),
    NOFLUSH(5, "7.35", "close(2) sends no FLUSH, unless write-back is on."),
    PARALLEL_DIRECT_WRITES(6, "7.38", "Direct writes that do not extend the file may run side by side."),
    PASSTHROUGH(7, "7.40", "The guest kernel does reads and writes on a backing file itself; not over virtio.");

    private static final FopenFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    FopenFlag(int position, String since, String sentence) {
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
        return "FOPEN_" + name();
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
