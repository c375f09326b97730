package vitrine.fuse.flag;

/// How a POLL came about: `fuse_poll_in.flags` (fuse.h: FUSE_POLL_SCHEDULE_NOTIFY).
public enum PollFlag implements Flag {
    SCHEDULE_NOTIFY(0, "7.11", "Somebody waits: notify kh when an event comes.");

    private static final PollFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    PollFlag(int position, String since, String sentence) {
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
        return "FUSE_POLL_" + name();
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
