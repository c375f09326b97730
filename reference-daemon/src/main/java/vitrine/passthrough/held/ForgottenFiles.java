package vitrine.passthrough.held;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import vitrine.posix.ErrnoException;
import vitrine.posix.FileHandle;
import vitrine.posix.FileStatus;
import vitrine.posix.FileSystemStatus;
import vitrine.posix.Timespec;

/// Files that the guest knew once, and may ask for again without a name.
///
/// A guest that exports the share by NFS gives file handles away, and so does name_to_handle_at(2).
/// Linux makes one of the nodeid and the generation. By the time that it comes back the file may
/// have been dropped from the guest's caches, and the nodeid been forgotten: then LOOKUP of `.`
/// asks what the nodeid stood for (fuse.h: FUSE_EXPORT_SUPPORT). So as long as a file is remembered
/// here its nodeid is kept for it, whether it is found by that or by a name.
///
/// What is remembered is the host's file handle, which keeps nothing of the file: one that is
/// deleted is gone. The oldest make room for new ones, and nothing outlives the session.
///
/// Only files of the very file system that is shared are remembered. Another one that is mounted
/// inside must not be kept busy for the sake of files that nobody knows any more.
final class ForgottenFiles {

    /// How many at most: some 20 MB.
    static final int MOST = 1 << 16;

    private record Forgotten(long nodeid, FileKey key, Timespec birth, FileHandle handle) {}

    private final HostHandles handles;
    private final FileKey share;
    private final boolean birthsLast; // for ever
    private final Map<FileKey, Forgotten> byKey = new HashMap<>();
    private final LinkedHashMap<Long, Forgotten> byNodeid = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Forgotten> eldest) {
            if (size() <= MOST) {
                return false;
            }
            byKey.remove(eldest.getValue().key(), eldest.getValue());
            return true;
        }
    };

    /// @param share the shared directory
    /// @param status of the file system that it is on
    ForgottenFiles(HostHandles handles, FileKey share, FileSystemStatus status) {
        this.handles = handles;
        this.share = share;
        birthsLast = status.type() != FileSystemStatus.OVERLAYFS; // see FileKey
    }

    /// The guest is about to forget a file.
    void add(KnownFile file) {
        if (!file.key().isBeside(share)) {
            return;
        }
        try {
            add(new Forgotten(file.nodeid(), file.key(), file.birth(), handles.handle(file)));
        } catch (ErrnoException _) {
            // It is gone, or the file system has no handle for it.
        }
    }

    private synchronized void add(Forgotten file) {
        byKey.put(file.key, file);
        byNodeid.putLast(file.nodeid, file); // it is the youngest again
    }

    /// What finds the file that had this nodeid; null if it is none of those remembered.
    synchronized FileHandle handle(long nodeid) {
        Forgotten file = byNodeid.get(nodeid);
        return file == null ? null : file.handle;
    }

    /// Whether a file may be among them, as far as its status tells. It may also be a later one
    /// with the inode number of one of them.
    synchronized boolean mayHave(FileStatus status) {
        Forgotten file = byKey.get(FileKey.of(status));
        return file != null && (!birthsLast || file.birth.equals(status.btime()));
    }

    /// A file has been made. What had its inode number before is gone.
    ///
    /// @param before a nodeid that was given away before that
    synchronized void removeEarlier(FileKey key, long before) {
        Forgotten file = byKey.get(key);
        if (file != null && file.nodeid <= before) {
            byKey.remove(key);
            byNodeid.remove(file.nodeid);
        }
    }

    /// Which nodeid a file had; 0 if it is none of those remembered.
    synchronized long nodeid(FileKey key, FileHandle handle) {
        Forgotten file = byKey.get(key);
        return file != null && file.handle.equals(handle) ? file.nodeid : 0;
    }

    synchronized void clear() {
        byKey.clear();
        byNodeid.clear();
    }
}
