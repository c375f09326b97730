package vitrine.passthrough;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;

/// Which host file a nodeid stands for, and for how long.
///
/// The guest may use a nodeid from the reply that tells it (LOOKUP, CREATE, READDIRPLUS …) until it
/// has sent as many FORGETs as it was told. For that time the table holds one `O_PATH` descriptor
/// of the file. Nodeids are counted up and never used again, so that a FORGET that arrives late
/// cannot hit somebody else. Several queues look up and forget at once.
final class InodeTable {

    /// The nodeid of the shared directory (fuse.h: FUSE_ROOT_ID). It cannot be forgotten.
    static final long ROOT = 1;

    private final Inode root;
    private final ConcurrentHashMap<Long, Inode> byNodeid = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<FileKey, Inode> byKey = new ConcurrentHashMap<>();
    private final AtomicLong lastNodeid = new AtomicLong(ROOT);
    private final AtomicBoolean warned = new AtomicBoolean(); // once: a guest could fill the disk

    /// Takes over `fd`, an `O_PATH` descriptor of the shared directory.
    InodeTable(Fd fd, FileStatus status) {
        root = new Inode(ROOT, fd, status);
        byNodeid.put(ROOT, root);
        byKey.put(root.key(), root);
    }

    /// The file behind a nodeid, held until the caller closes it.
    ///
    /// @throws ErrnoException `ESTALE` if the guest has forgotten it or never knew it. Not
    ///     `ENOENT`: a guest kernel that walks a path retries after `ESTALE` only
    Inode hold(long nodeid) throws ErrnoException {
        Inode inode = byNodeid.get(nodeid);
        if (inode == null || !inode.hold()) {
            throw new ErrnoException("nodeid " + nodeid, Errno.ESTALE);
        }
        return inode;
    }

    /// Counts one more lookup of a file that has a nodeid already.
    ///
    /// @return its nodeid, or 0 if it has none: then it takes a descriptor and [#add]
    long addLookup(FileKey key) {
        Inode inode = byKey.get(key);
        return inode != null && inode.addLookup() ? inode.nodeid() : 0;
    }

    /// Counts one lookup of a file; if it has no nodeid yet it gets one.
    ///
    /// @param fd an `O_PATH` descriptor of the file, taken over in either case
    long add(Fd fd, FileStatus status) {
        Inode entered = byKey.compute(FileKey.of(status), (_, old) -> {
            if (old != null && old.addLookup()) {
                return old; // another queue was faster
            }
            Inode fresh = new Inode(lastNodeid.incrementAndGet(), fd, status);
            byNodeid.put(fresh.nodeid(), fresh); // first: whoever finds it by key tells its nodeid
            return fresh;
        });
        if (entered.fd() != fd) {
            fd.close();
        }
        return entered.nodeid();
    }

    /// The guest takes back `count` lookups (unsigned); with the last one the nodeid ends.
    ///
    /// A guest that takes back more than it was told gets its zero early and harms itself only; a
    /// FORGET has no reply in which it could be told off.
    void forget(long nodeid, long count) {
        Inode inode = byNodeid.get(nodeid);
        if (inode == null || inode == root) {
            return;
        }
        long had = inode.lookups();
        if (inode.takeBack(count) == 0) {
            drop(inode);
            if (Long.compareUnsigned(count, had) > 0 && warned.compareAndSet(false, true)) {
                Forgetful.LOG.log(
                        System.Logger.Level.WARNING,
                        "guest forgets nodeid {0} {1} times, was told it {2} times",
                        Long.toString(nodeid),
                        Long.toUnsignedString(count),
                        Long.toString(had));
            }
        }
    }

    /// Ends all nodeids but the root's: the guest's file system starts anew, or is gone.
    void clear() {
        for (Inode inode : byNodeid.values()) {
            if (inode != root && inode.takeBack(-1) == 0) {
                drop(inode);
            }
        }
    }

    /// How many nodeids the guest has, the root's among them.
    int size() {
        return byNodeid.size();
    }

    /// The lookup count of a nodeid, 0 if the guest has none such.
    long lookups(long nodeid) {
        Inode inode = byNodeid.get(nodeid);
        return inode == null ? 0 : inode.lookups();
    }

    /// Whether it is the shared directory itself.
    boolean isRoot(FileKey key) {
        return root.key().equals(key);
    }

    private void drop(Inode inode) {
        byNodeid.remove(inode.nodeid(), inode);
        byKey.remove(inode.key(), inode); // unless a new nodeid stands for the file by now
        inode.close(); // the table's hold; a request that still uses the file keeps it open
    }

    /// For what no guest kernel does: the logger is looked up only if one does it after all.
    private static final class Forgetful {
        private static final System.Logger LOG = System.getLogger("vitrine.passthrough");
    }
}
