package vitrine.passthrough;

import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// INIT: what the guest offers, what this daemon takes of it, and what was agreed in the end.
///
/// A flag that is taken is a promise of this daemon to the guest's kernel, which then leaves
/// something out that it would have done itself. So a flag is taken only if its part is done;
/// [#wants] has one line for each.
final class Negotiation {

    /// The protocol spoken here: 7.38. A guest that is older is spoken to in its own version.
    static final int MAJOR = 7;

    /// See [#MAJOR].
    static final int MINOR = 38;

    /// The oldest guest that is served (Linux 4.18). The first one with virtio-fs has 7.31.
    static final int OLDEST_MINOR = 27;

    /// The largest WRITE, and with [#MAX_PAGES] the largest READ: what Linux sends at most.
    static final int MAX_WRITE = 1 << 20;

    private static final int MAX_PAGES = MAX_WRITE / 4096;
    private static final int MAX_BACKGROUND = 0xffff; // read-ahead and write-back: the ring is the limit
    private static final int CONGESTION_THRESHOLD = MAX_BACKGROUND / 4 * 3;
    private static final int TIME_GRANULARITY = 1; // ns: ext4, XFS, btrfs and tmpfs all have it

    private final PassthroughOptions options;
    private volatile long agreed; // InitFlags; written by INIT only

    Negotiation(PassthroughOptions options) {
        this.options = options;
    }

    /// Answers INIT, and remembers what was agreed.
    ///
    /// @throws ErrnoException `EPROTO` if the guest is too old
    InitOut agree(InitIn guest) throws ErrnoException {
        if (guest.major() > MAJOR) {
            // "The daemon speaks 7": the guest sends INIT once more, in that version (fuse.h).
            return new InitOut(MAJOR, MINOR, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }
        if (guest.major() < MAJOR || guest.minor() < OLDEST_MINOR) {
            throw new ErrnoException("FUSE " + guest.major() + "." + guest.minor(), Errno.EPROTO);
        }
        long offered = guest.allFlags();
        long taken = 0;
        for (InitFlag flag : InitFlag.values()) {
            if (flag.in(offered) && wants(flag, offered)) {
                taken |= flag.bit();
            }
        }
        agreed = taken;
        return new InitOut(
                MAJOR,
                Math.min(MINOR, guest.minor()),
                guest.maxReadahead(),
                (int) taken,
                MAX_BACKGROUND,
                CONGESTION_THRESHOLD,
                MAX_WRITE,
                TIME_GRANULARITY,
                MAX_PAGES,
                0, // map_alignment: no DAX window
                (int) (taken >>> 32),
                0, // max_stack_depth: no passthrough
                0); // request_timeout: none
    }

    /// Whether both sides took this flag.
    boolean has(InitFlag flag) {
        return flag.in(agreed);
    }

    /// Nothing is agreed any more.
    void reset() {
        agreed = 0;
    }

    /// For each flag that there is: whether it is taken when the guest offers it.
    private boolean wants(InitFlag flag, long offered) {
        return switch (flag) {
            // Requests are independent of each other here, whatever their order and number.
            case ASYNC_READ, ASYNC_DIO, PARALLEL_DIROPS, BIG_WRITES, MAX_PAGES -> true;
            case AUTO_INVAL_DATA -> true; // the host's mtime and size are the truth
            case EXPORT_SUPPORT -> true; // LOOKUP of . and .. works for each nodeid that is known
            case INIT_EXT -> true; // flags2 is read and answered
            case CREATE_SUPP_GROUP -> true; // see Identity

            case DO_READDIRPLUS, READDIRPLUS_AUTO -> options.has(Feature.READDIRPLUS);
            case WRITEBACK_CACHE -> options.has(Feature.WRITEBACK); // see HostFlags
            case SUBMOUNTS -> options.has(Feature.ANNOUNCE_SUBMOUNTS);
            case POSIX_LOCKS -> options.has(Feature.POSIX_LOCKS); // else they hold within the guest
            case FLOCK_LOCKS -> options.has(Feature.FLOCKS);
            case DIRECT_IO_ALLOW_MMAP -> options.has(Feature.ALLOW_MMAP);

            case HANDLE_KILLPRIV_V2 -> options.has(Feature.KILLPRIV_V2);
            // O_TRUNC within OPEN leaves the set-ID bits to us, and only V2 says in the request
            // whether the caller may keep them. Without V2 the guest shall send SETATTR, with the
            // new mode.
            case ATOMIC_O_TRUNC -> options.has(Feature.KILLPRIV_V2) && InitFlag.HANDLE_KILLPRIV_V2.in(offered);
            // Version 1 clears without knowing who writes: root's programs would lose their bits.
            case HANDLE_KILLPRIV -> false;

            // Not done here: refused, so that the guest does it alone or does without.
            case POSIX_ACL, DONT_MASK, SETXATTR_EXT -> false; // three sides of ACLs
            case SECURITY_CTX -> false;
            case HAS_IOCTL_DIR -> false; // no IOCTL at all
            case MAP_ALIGNMENT, HAS_INODE_DAX -> false; // no DAX
            case ALLOW_IDMAP -> false; // requests with a uid of -1 would come
            case NO_OPEN_SUPPORT, NO_OPENDIR_SUPPORT -> false; // OPEN and OPENDIR are answered
            case NO_EXPORT_SUPPORT -> false; // the opposite of EXPORT_SUPPORT
            case CACHE_SYMLINKS -> false; // a target may change on the host, and nothing would tell

            // Nothing that a virtio-fs device could give a meaning to.
            case FILE_OPS, SPLICE_WRITE, SPLICE_MOVE, SPLICE_READ, ABORT_ERROR, INIT_RESERVED -> false;
            case EXPLICIT_INVAL_DATA, HAS_EXPIRE_ONLY -> false; // need notifications
            case PASSTHROUGH, HAS_RESEND, OVER_IO_URING, REQUEST_TIMEOUT -> false;
        };
    }
}
