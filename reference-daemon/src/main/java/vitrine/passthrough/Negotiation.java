package vitrine.passthrough;

import java.util.List;
import vitrine.dax.Window;
import vitrine.fuse.Dialect;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.migration.CannotMoveException;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// INIT: what the guest offers, what this daemon takes of it, and what was agreed in the end.
///
/// What is taken of its flags says [InitDecision].
final class Negotiation {

    private static final int MAJOR = 7;

    /// The largest WRITE, and with [#MAX_PAGES] the largest READ: what Linux sends at most.
    static final int MAX_WRITE = 1 << 20;

    private static final int MAX_PAGES = MAX_WRITE / 4096;
    private static final int MAX_BACKGROUND = 0xffff; // read-ahead and write-back: the ring is the limit
    private static final int CONGESTION_THRESHOLD = MAX_BACKGROUND / 4 * 3;
    private static final int TIME_GRANULARITY = 1; // ns: ext4, XFS, btrfs and tmpfs all have it

    private final PassthroughOptions options;
    private final Window window;
    private volatile long agreed; // InitFlags; written by INIT only
    private volatile int minor; // likewise; 0: nothing is agreed

    Negotiation(PassthroughOptions options, Window window) {
        this.options = options;
        this.window = window;
    }

    /// Answers INIT, and remembers what was agreed.
    ///
    /// @throws ErrnoException `EPROTO` if the guest is too old, or lacks what must be agreed on
    InitOut agree(InitIn guest) throws ErrnoException {
        long major = Integer.toUnsignedLong(guest.major());
        long theirs = Integer.toUnsignedLong(guest.minor());
        if (major > MAJOR) {
            // "The daemon speaks 7": the guest sends INIT once more, in that version (fuse.h).
            return new InitOut(MAJOR, Dialect.NEWEST_MINOR, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }
        if (major < MAJOR || theirs < Dialect.OLDEST_MINOR) {
            throw new ErrnoException("FUSE " + major + "." + theirs, Errno.EPROTO);
        }
        long offered = guest.allFlags();
        long taken = 0;
        for (InitFlag flag : InitFlag.values()) {
            if (flag.in(offered) && takes(flag, offered)) {
                taken |= flag.bit();
            }
        }
        if (options.has(Feature.REQUIRE_POSIX_ACL) && !InitFlag.POSIX_ACL.in(taken)) {
            throw new ErrnoException("a guest without ACLs", Errno.EPROTO);
        }
        if (options.has(Feature.REQUIRE_SECURITY_LABEL) && !InitFlag.SECURITY_CTX.in(taken)) {
            throw new ErrnoException("a guest that sends no labels", Errno.EPROTO);
        }
        agreed = taken;
        minor = (int) Math.min(Dialect.NEWEST_MINOR, theirs);
        return new InitOut(
                MAJOR,
                minor,
                guest.maxReadahead(),
                (int) taken,
                MAX_BACKGROUND,
                CONGESTION_THRESHOLD,
                MAX_WRITE,
                TIME_GRANULARITY,
                MAX_PAGES,
                window.alignment(), // means nothing unless MAP_ALIGNMENT is taken
                (int) (taken >>> 32),
                0, // max_stack_depth: no passthrough
                0); // request_timeout: none
    }

    /// Whether both sides took this flag.
    boolean has(InitFlag flag) {
        return flag.in(agreed);
    }

    /// The minor version that both sides speak; 0 if nothing is agreed.
    int minor() {
        return minor;
    }

    /// The flags that were taken.
    long flags() {
        return agreed;
    }

    /// Agrees on what another daemon has agreed on with the same guest.
    ///
    /// @throws CannotMoveException if this daemon would not have
    void resume(int agreedMinor, long flags) throws CannotMoveException {
        if (agreedMinor < Dialect.OLDEST_MINOR || agreedMinor > Dialect.NEWEST_MINOR) {
            throw new CannotMoveException("it speaks FUSE 7." + Integer.toUnsignedString(agreedMinor));
        }
        long taken = 0;
        for (InitFlag flag : InitFlag.values()) {
            if (flag.in(flags) && takes(flag, flags)) {
                taken |= flag.bit();
            }
        }
        if (taken != flags) {
            throw new CannotMoveException("it was promised " + InitFlag.describe(flags & ~taken)
                    + ", which this daemon was not started with: give it the options of the other one");
        }
        agreed = flags;
        minor = agreedMinor;
    }

    /// Nothing is agreed any more.
    void reset() {
        agreed = 0;
        minor = 0;
    }

    private boolean takes(InitFlag flag, long offered) {
        return switch (InitDecision.on(flag)) {
            case InitDecision.Taken _ -> true;
            case InitDecision.TakenWith(Feature feature, List<InitFlag> together, var _) ->
                options.has(feature) && together.stream().allMatch(other -> other.in(offered));
            case InitDecision.TakenWithWindow _ -> window.isThere();
            case InitDecision.Left _ -> false;
        };
    }
}
