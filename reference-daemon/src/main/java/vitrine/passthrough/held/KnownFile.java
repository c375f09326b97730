package vitrine.passthrough.held;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.dax.DaxFlag;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.FileHandle;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// A host file that the guest knows: it was told the nodeid, and has not taken it back yet.
///
/// The table keeps a descriptor of it, or only the [HostReference] by which one is opened when a
/// request needs it:
///
/// ```
///             adopt                        keepReference
///     made ─────────► descriptor kept ──────────────────────► reference kept
///                            ▲                                      │
///                            └───── adopt: it is looked up again ───┘
/// ```
///
/// The lookup count is the number of replies in which the guest was told the nodeid, minus what it
/// has taken back by FORGET.
public final class KnownFile {

    private final long nodeid;
    private final FileKey key;
    private final int type;
    private final AtomicLong lookups;

    /// See [Inode#rootRemovedCapabilities].
    final AtomicBoolean rootRemovedCapabilities = new AtomicBoolean();

    /// See [Inode#daxFlag].
    final DaxFlag daxFlag = new DaxFlag();

    /// What its file system calls it, if that was asked; null if not.
    volatile FileHandle handle;

    private volatile Timespec birth;
    private boolean used; // lately; only a hint, so it does not matter which thread sees what

    private volatile Inode inode; // the last one there was; perhaps its descriptor is closed by now
    private boolean kept; // the table is among its holders; guarded by this, like the next one
    private HostReference reference; // instead

    /// The guest is told the nodeid once by whoever makes this.
    KnownFile(long nodeid, FileStatus status) {
        this(nodeid, status, 1);
    }

    /// The guest was told the nodeid that often.
    KnownFile(long nodeid, FileStatus status, long lookups) {
        this.nodeid = nodeid;
        this.lookups = new AtomicLong(lookups);
        key = FileKey.of(status);
        type = status.mode() & Stat.S_IFMT;
        birth = status.btime();
    }

    /// The number by which the guest calls it.
    public long nodeid() {
        return nodeid;
    }

    /// Where the table has it.
    public FileKey key() {
        return key;
    }

    /// When it was made.
    public Timespec birth() {
        return birth;
    }

    /// One of the `S_IF…` types of [Stat].
    public int type() {
        return type;
    }

    // --- lookups

    /// Counts one more reply that tells the nodeid; false if the guest has just forgotten it.
    boolean addLookup() {
        used = true;
        long now;
        do {
            now = lookups.get();
            if (now == 0) {
                return false;
            }
        } while (now != Long.MAX_VALUE && !lookups.compareAndSet(now, now + 1));
        return true;
    }

    /// Takes back `count` lookups (unsigned), at most as many as there are.
    ///
    /// @param beforeLast is done before none are left; more than once, or in vain, if another queue
    ///     looks it up or forgets it at this moment
    /// @return how many were left: 0 exactly once, for whoever took the last one; -1 if there were
    ///     none to take back
    long takeBack(long count, Runnable beforeLast) {
        long now;
        long left;
        do {
            now = lookups.get();
            if (now == 0) {
                return -1;
            }
            left = Long.compareUnsigned(count, now) >= 0 ? 0 : now - count;
            if (left == 0) {
                beforeLast.run();
            }
        } while (!lookups.compareAndSet(now, left));
        return left;
    }

    /// The lookup count at this moment.
    public long lookups() {
        return lookups.get();
    }

    // --- descriptor or reference

    /// Opens it if it is not open; the caller closes what it gets.
    ///
    /// @throws ErrnoException `ESTALE` if it is forgotten, or gone and not kept open
    Inode hold(HostHandles handles) throws ErrnoException {
        used = true;
        Inode open = holdIfOpen();
        return open != null ? open : reopen(handles);
    }

    /// The same if there is a descriptor anyway: the table's, or that of a request or an open file.
    ///
    /// @return null if there is none
    Inode holdIfOpen() {
        Inode last = inode;
        return last != null && last.hold() ? last : null;
    }

    private synchronized Inode reopen(HostHandles handles) throws ErrnoException {
        Inode open = holdIfOpen(); // another queue was faster
        if (open == null) {
            if (reference == null) {
                throw new ErrnoException("nodeid " + nodeid, Errno.ESTALE);
            }
            open = handles.open(this, reference); // the caller is its first holder
            inode = open;
        }
        return open;
    }

    /// Gives it a descriptor that was opened to look it up.
    ///
    /// @param found the caller's; closed if there is one already
    /// @param keep whether the table is to hold it from now on
    /// @return the one there is, held by the caller
    synchronized Inode adopt(Inode found, boolean keep) {
        Inode open = holdIfOpen();
        if (open == null) {
            open = found;
            inode = found;
        } else {
            found.close();
        }
        if (keep && !kept && lookups.get() > 0) { // zero: forgotten just now, and about to be dropped
            kept = open.hold();
            dropReference();
        }
        return open;
    }

    /// From now on there is a descriptor only while somebody uses it.
    ///
    /// @param instead taken over
    synchronized void keepReference(HostReference instead) {
        if (reference != null || lookups.get() == 0) {
            instead.close();
        } else {
            reference = instead;
        }
        letGo();
    }

    /// What the table has instead of a descriptor; null if it has one.
    synchronized HostReference reference() {
        return reference;
    }

    /// The guest has forgotten it. A request that still uses the file keeps it open.
    synchronized void drop() {
        letGo();
        dropReference();
    }

    private void letGo() {
        if (kept) {
            kept = false;
            inode.close();
        }
    }

    private void dropReference() {
        if (reference != null) {
            reference.close();
            reference = null;
        }
    }

    /// Whether it was used since this was asked last.
    boolean wasUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    // --- identity

    /// Whether this looks like the status of this very file. If not it may be so all the same: see
    /// [FileKey] about births.
    boolean looksLike(FileStatus status) {
        return birth.equals(status.btime()) && type == (status.mode() & Stat.S_IFMT);
    }

    /// The file shows another time of birth than it did.
    void bornAt(Timespec time) {
        birth = time;
    }
}
