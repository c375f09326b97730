package vitrine.passthrough.held;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.FileHandle;
import vitrine.posix.FileStatus;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// Which host file a nodeid stands for, and for how long.
///
/// The guest may use a nodeid from the reply that tells it (LOOKUP, CREATE, READDIRPLUS …) until it
/// has sent as many FORGETs as it was told. Nodeids are counted up and never used for another file,
/// so that a FORGET that arrives late cannot hit it. Several queues look up and forget at once.
///
/// That a name leads to a known file is seen by its [FileKey], and [SameFile] has the last word.
public final class InodeTable implements AutoCloseable {

    /// The nodeid of the shared directory (fuse.h: FUSE_ROOT_ID). It cannot be forgotten.
    public static final long ROOT = 1;

    private final FileHandleUse use;
    private final DescriptorBudget budget;
    private final HostHandles handles;
    private final SameFile same;
    private final KnownFile root;
    private final HostReference rootReference; // it has the share's mount at hand; null: there are no handles
    private final ConcurrentHashMap<Long, KnownFile> byNodeid = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<FileKey, KnownFile> byKey = new ConcurrentHashMap<>();
    private final Nodeids nodeids = new Nodeids();
    private final ForgottenFiles forgotten;
    private final AtomicBoolean warned = new AtomicBoolean(); // once: a guest could fill the disk

    /// @param fd an `O_PATH` descriptor of the shared directory, taken over
    /// @throws ErrnoException if file handles are mandatory and there are none
    public InodeTable(Syscalls sys, FileHandleUse use, DescriptorBudget budget, Fd fd) throws ErrnoException {
        this.use = use;
        this.budget = budget;
        handles = new HostHandles(sys, budget);
        root = new KnownFile(ROOT, sys.statx(fd, FileStatus.ALL));
        forgotten = new ForgottenFiles(handles, root.key(), sys.fstatfs(fd));
        same = new SameFile(sys, handles, forgotten);
        root.adopt(new Inode(budget, root, fd), true).close();
        byNodeid.put(ROOT, root);
        byKey.put(root.key(), root);
        try (Inode inode = hold(ROOT)) {
            rootReference = handles.referToRoot(inode, use);
        } catch (ErrnoException e) {
            root.drop();
            throw e;
        }
        if (use == FileHandleUse.PREFER && rootReference != null) {
            budget.reclaimBy(new ClockHand(sys, handles, byNodeid.values()));
        }
    }

    /// The file behind a nodeid, held until the caller closes it. To be called as the daemon: to
    /// open a file by its handle takes the daemon's rights.
    ///
    /// @throws ErrnoException `ESTALE` if the guest has forgotten it or never knew it, or if it is
    ///     gone. Not `ENOENT`: a guest kernel that walks a path retries after `ESTALE` only
    public Inode hold(long nodeid) throws ErrnoException {
        KnownFile file = byNodeid.get(nodeid);
        if (file == null) {
            throw new ErrnoException("nodeid " + nodeid, Errno.ESTALE);
        }
        return file.hold(handles);
    }

    /// Opens a file whose nodeid the guest has forgotten, with `O_PATH`; by [#add] it gets the same
    /// nodeid again.
    ///
    /// @throws ErrnoException `ESTALE` if the file is gone, or was forgotten too long ago
    public Fd openForgotten(long nodeid) throws ErrnoException {
        requireRoomToKnow();
        FileHandle handle = forgotten.handle(nodeid);
        if (handle == null) {
            throw new ErrnoException("nodeid " + nodeid, Errno.ESTALE);
        }
        return openByHandle(handle);
    }

    /// Opens a file of the very file system that is shared, with `O_PATH`.
    ///
    /// @throws ErrnoException `ESTALE` if it is gone, `EOPNOTSUPP` if there are no handles
    public Fd openByHandle(FileHandle handle) throws ErrnoException {
        if (rootReference == null) {
            throw new ErrnoException("no file handles", Errno.EOPNOTSUPP);
        }
        return handles.open(new HostReference(handle, rootReference.mount()));
    }

    /// Makes sure that the guest may know one more file.
    ///
    /// @throws ErrnoException `ENFILE` if it may not
    public void requireRoomToKnow() throws ErrnoException {
        if (use != FileHandleUse.MANDATORY) {
            budget.requireRoom();
        }
    }

    /// Counts one more lookup of a file that has a nodeid already.
    ///
    /// @param found what its name leads to
    /// @return its nodeid, or 0 if it has none, or if it takes a descriptor to find out: then
    ///     [#add] is next
    public long addLookup(FileStatus found) {
        KnownFile file = byKey.get(FileKey.of(found));
        if (file == null) {
            return 0;
        }
        try (Inode open = file.holdIfOpen()) {
            return open != null && same.is(file, open, found) && file.addLookup() ? file.nodeid() : 0;
        }
    }

    /// Counts one more lookup of a file that has a nodeid and is not to be kept open: by the handle
    /// that its name leads to.
    ///
    /// @param found what its name led to before
    /// @param newest the newest nodeid before that
    /// @return its nodeid, or 0 if that is not known without opening it
    public long addLookup(Fd directory, Name name, FileStatus found, long newest) {
        KnownFile file = use == FileHandleUse.MANDATORY ? byKey.get(FileKey.of(found)) : null;
        HostReference reference = file == null || file.nodeid() > newest ? null : file.reference();
        boolean isIt = reference != null && reference.handle().equals(handles.handle(directory, name));
        return isIt && file.addLookup() ? file.nodeid() : 0;
    }

    /// Asks for the handle of a file that may be one whose handle is kept; null if it cannot be.
    public FileHandle handleIfKept(Fd fd, FileStatus status) {
        return same.handleIfKept(byKey.get(FileKey.of(status)), fd, status);
    }

    /// See [SameFile#wasKnown].
    public boolean wasKnown(FileKey key, FileHandle handle, long newest) {
        return same.wasKnown(byKey.get(key), key, handle, newest);
    }

    /// A file has been made since that nodeid was the newest: what had its key before is gone.
    public void removeEarlier(FileKey key, long newest) {
        forgotten.removeEarlier(key, newest);
    }

    /// Whether the file has a nodeid at this moment.
    public boolean has(FileKey key) {
        return byKey.containsKey(key);
    }

    /// Counts one lookup of a file; if it has no nodeid yet it gets one.
    ///
    /// @param fd an `O_PATH` descriptor of the file, taken over in any case
    /// @param handle what its file system calls it; null if that was not asked
    /// @return its inode, held until the caller closes it
    /// @throws ErrnoException if file handles are mandatory and it has none
    public Inode add(Fd fd, FileStatus status, FileHandle handle) throws ErrnoException {
        AtomicReference<Inode> added = new AtomicReference<>();
        byKey.compute(FileKey.of(status), (_, known) -> {
            boolean isKnown = known != null && same.is(known, fd, status, handle) && known.addLookup();
            KnownFile file = isKnown ? known : newFile(fd, status, handle);
            added.set(file.adopt(new Inode(budget, file, fd), use != FileHandleUse.MANDATORY));
            return file;
        });
        if (use == FileHandleUse.MANDATORY) {
            keepReference(added.get());
        }
        return added.get();
    }

    private KnownFile newFile(Fd fd, FileStatus status, FileHandle asked) {
        FileKey key = FileKey.of(status);
        FileHandle handle = asked != null || !forgotten.mayHave(status) ? asked : handles.handle(fd);
        long before = handle == null ? 0 : forgotten.nodeid(key, handle);
        KnownFile file = new KnownFile(before != 0 ? before : nodeids.next(), status);
        file.handle = handle;
        byNodeid.put(file.nodeid(), file); // first: whoever finds it by key tells its nodeid
        return file;
    }

    private void keepReference(Inode inode) throws ErrnoException {
        KnownFile file = inode.file();
        if (file == root || file.reference() != null) {
            return;
        }
        try {
            file.keepReference(handles.refer(inode));
        } catch (ErrnoException e) {
            forget(file.nodeid(), 1); // nobody is told
            inode.close();
            throw e;
        }
    }

    /// The guest takes back `count` lookups (unsigned); with the last one the nodeid ends.
    ///
    /// A guest that takes back more than it was told gets its zero early and harms itself only; a
    /// FORGET has no reply in which it could be told off.
    public void forget(long nodeid, long count) {
        KnownFile file = byNodeid.get(nodeid);
        if (file == null || file == root) {
            return;
        }
        long had = file.lookups();
        Runnable remember = rootReference == null ? () -> {} : () -> forgotten.add(file);
        if (file.takeBack(count, remember) == 0) { // from then on, the guest may ask for it
            drop(file);
            if (Long.compareUnsigned(count, had) > 0 && warned.compareAndSet(false, true)) {
                Rarely.LOG.log(
                        System.Logger.Level.WARNING,
                        "guest forgets nodeid {0} {1} times, was told it {2} times",
                        Long.toString(nodeid),
                        Long.toUnsignedString(count),
                        Long.toString(had));
            }
        }
    }

    /// What the guest is to put into its file handles beside the nodeid, so that one of an earlier
    /// session means nothing in this one. Linux takes 0 for the root, and for the root of what it
    /// mounts for a file system inside the share.
    public long generation(long nodeid, FileKey key) {
        return nodeid != ROOT && key.isBeside(root.key()) ? nodeids.generation() : 0;
    }

    /// All files that the guest knows, but the root.
    public List<KnownFile> known() {
        return byNodeid.values().stream().filter(file -> file != root).toList();
    }

    /// What the file system calls this file, to find it again on the same mount.
    public FileHandle handle(Inode inode) throws ErrnoException {
        return handles.handle(inode.file());
    }

    /// How far the nodeids are.
    public Nodeids nodeids() {
        return nodeids;
    }

    /// The guest knows a file already. Two of its files may have become one here.
    ///
    /// @param fd an `O_PATH` descriptor of the file, taken over in any case
    /// @throws ErrnoException if file handles are mandatory and it has none; then it is not known
    public void resume(long nodeid, long lookups, FileStatus status, Fd fd) throws ErrnoException {
        KnownFile file = new KnownFile(nodeid, status, lookups);
        byNodeid.put(file.nodeid(), file);
        byKey.putIfAbsent(file.key(), file);
        Inode inode = file.adopt(new Inode(budget, file, fd), use != FileHandleUse.MANDATORY);
        try (inode) {
            if (use == FileHandleUse.MANDATORY) {
                file.keepReference(handles.refer(inode));
            }
        } catch (ErrnoException e) {
            drop(file);
            throw e;
        }
    }

    /// Ends all nodeids but the root's: the guest's file system starts anew, or is gone.
    public void clear() {
        for (KnownFile file : byNodeid.values()) {
            if (file != root && file.takeBack(-1, () -> {}) == 0) {
                drop(file);
            }
        }
        forgotten.clear();
        nodeids.renew();
    }

    /// Gives all descriptors up.
    @Override
    public void close() {
        clear();
        root.drop();
        if (rootReference != null) {
            rootReference.close();
        }
    }

    /// Where the shared directory is found.
    public FileKey rootKey() {
        return root.key();
    }

    private void drop(KnownFile file) {
        byNodeid.remove(file.nodeid(), file);
        byKey.remove(file.key(), file); // unless a new nodeid stands for the file by now
        file.drop();
    }

    /// The logger is looked up only if there is something to say.
    private static final class Rarely {
        private static final System.Logger LOG = System.getLogger("vitrine.passthrough");
    }
}
