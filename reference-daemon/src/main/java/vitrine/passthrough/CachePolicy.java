package vitrine.passthrough;

import java.time.Duration;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.FopenFlag;

/// How far the guest may trust what it has seen before.
///
/// The daemon has no way to tell a guest that a file has changed on the host (Linux' virtio-fs
/// driver knows no notifications), so trust ends by the clock only. A stricter policy costs
/// requests, a looser one shows old contents when somebody else writes to the share.
public enum CachePolicy {

    /// Nothing is kept: each look at a name or an attribute is a request, each read and write too.
    NEVER(Duration.ZERO, Flag.word32(FopenFlag.DIRECT_IO), 0),

    /// Names, attributes and directory listings are kept, the contents of files are not.
    METADATA(
            Duration.ofDays(1),
            Flag.word32(FopenFlag.DIRECT_IO),
            Flag.word32(FopenFlag.KEEP_CACHE, FopenFlag.CACHE_DIR)),

    /// One second for names and attributes; contents are read again after each open(2).
    AUTO(Duration.ofSeconds(1), 0, 0),

    /// Everything is kept for a day: for a share that only this guest writes to.
    ALWAYS(
            Duration.ofDays(1),
            Flag.word32(FopenFlag.KEEP_CACHE),
            Flag.word32(FopenFlag.KEEP_CACHE, FopenFlag.CACHE_DIR));

    private final Duration timeout;
    private final int fileFlags;
    private final int directoryFlags;

    CachePolicy(Duration timeout, int fileFlags, int directoryFlags) {
        this.timeout = timeout;
        this.fileFlags = fileFlags;
        this.directoryFlags = directoryFlags;
    }

    /// For how long names and attributes may be believed.
    public Duration timeout() {
        return timeout;
    }

    /// The [FopenFlag]s that answer OPEN and CREATE.
    public int fileFlags() {
        return fileFlags;
    }

    /// The [FopenFlag]s that answer OPENDIR.
    public int directoryFlags() {
        return directoryFlags;
    }

    /// Whether READDIRPLUS pays: it fetches attributes with the names, which is wasted work when
    /// they are not believed afterwards.
    public boolean paysReaddirplus() {
        return this != NEVER;
    }
}
