package vitrine.passthrough;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import vitrine.posix.FileHandle;

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
final class ForgottenFiles {

    /// How many at most: some 20 MB.
    static final int MOST = 1 << 16;

    private record Forgotten(long nodeid, FileKey key, FileHandle handle, long moment) {}

    private volatile long now; // counts what is added
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

    /// The guest is about to forget a file.
    synchronized void add(long nodeid, FileKey key, FileHandle handle) {
        now++;
        Forgotten file = new Forgotten(nodeid, key, handle, now);
        byKey.put(key, file);
        byNodeid.remove(nodeid); // it is the youngest again
        byNodeid.put(nodeid, file);
    }

    /// What finds the file that had this nodeid; null if it is none of those remembered.
    synchronized FileHandle handle(long nodeid) {
        Forgotten file = byNodeid.get(nodeid);
        return file == null ? null : file.handle();
    }

    /// Whether a file of this key is among them: the same, or an earlier one with its inode number.
    synchronized boolean has(FileKey key) {
        return byKey.containsKey(key);
    }

    /// This moment, to be told from later ones in which something was forgotten.
    long now() {
        return now;
    }

    /// Whether a file was remembered at a moment already. If so, no other has had its key since: no
    /// other ever has its handle, so it was there all the time.
    synchronized boolean had(FileKey key, FileHandle handle, long moment) {
        Forgotten file = byKey.get(key);
        return file != null && file.handle().equals(handle) && file.moment() <= moment;
    }

    /// Which nodeid a file had; 0 if it is none of those remembered.
    synchronized long nodeid(FileKey key, FileHandle handle) {
        Forgotten file = byKey.get(key);
        return file != null && file.handle().equals(handle) ? file.nodeid() : 0;
    }

    synchronized void clear() {
        byKey.clear();
        byNodeid.clear();
    }
}
