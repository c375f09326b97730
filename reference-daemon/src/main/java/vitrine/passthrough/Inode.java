package vitrine.passthrough;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;

/// A host file for which the guest has a nodeid.
///
/// The descriptor is an `O_PATH` one: it names the file and keeps its inode number from being used
/// again, but does not open it, so a FIFO or a device has one too. The lookup count is the number
/// of replies in which the guest was told the nodeid, minus what it has taken back by FORGET.
final class Inode extends SharedDescriptor {

    private final long nodeid;
    private final FileKey key;
    private final int type;
    private final AtomicLong lookups = new AtomicLong(1);
    private final AtomicBoolean rootRemovedCapabilities = new AtomicBoolean();

    /// Takes over `fd`. The guest is told the nodeid once by whoever makes this.
    Inode(long nodeid, Fd fd, FileStatus status) {
        super(fd);
        this.nodeid = nodeid;
        this.key = FileKey.of(status);
        this.type = status.mode() & Stat.S_IFMT;
    }

    /// The number by which the guest calls it.
    long nodeid() {
        return nodeid;
    }

    /// Which host file it is.
    FileKey key() {
        return key;
    }

    /// One of the `S_IF…` types of [Stat]. A file keeps its type for life.
    int type() {
        return type;
    }

    /// Counts one more reply that tells the nodeid; false if the guest has just forgotten it.
    boolean addLookup() {
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
    /// @return how many were left: 0 exactly once, for whoever took the last one; -1 if there were
    ///     none to take back
    long takeBack(long count) {
        long now;
        long left;
        do {
            now = lookups.get();
            if (now == 0) {
                return -1;
            }
            left = Long.compareUnsigned(count, now) >= 0 ? 0 : now - count;
        } while (!lookups.compareAndSet(now, left));
        return left;
    }

    /// Root in the guest has removed the file's capabilities: perhaps the first half of a write,
    /// see [SetIdBits].
    void rootRemovedCapabilities() {
        rootRemovedCapabilities.set(true);
    }

    /// Whether root has done so since this was asked last.
    boolean hasRootRemovedCapabilities() {
        return rootRemovedCapabilities.getAndSet(false);
    }

    /// The lookup count at this moment.
    long lookups() {
        return lookups.get();
    }
}
