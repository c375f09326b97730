package vitrine.guest.kernel.cache;

import java.util.HashMap;
import java.util.Map;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.EntryOut;
import vitrine.guest.kernel.DaxPath;
import vitrine.guest.kernel.client.FuseClient;

/// Which files the guest knows, and how often the server said so.
///
/// Each entry in a reply adds one to the lookup count that the server keeps for the file. When
/// the last use in the guest ends, all of it goes back with one FORGET.
public final class InodeCache {

    private final FuseClient client;
    private final DaxPath window;
    private final Map<Long, GuestInode> known = new HashMap<>();
    private final GuestInode root;

    /// @param rootAttr attributes of the root of the share, which is never forgotten
    public InodeCache(FuseClient client, DaxPath window, Attr rootAttr) {
        this.client = client;
        this.window = window;
        this.root = new GuestInode(GuestInode.ROOT, rootAttr);
        root.use();
        known.put(GuestInode.ROOT, root);
    }

    /// The root, used once more.
    public synchronized GuestInode root() {
        root.use();
        return root;
    }

    /// The file of an entry that the server answered with, used once more.
    public synchronized GuestInode found(EntryOut entry) {
        GuestInode inode = known.computeIfAbsent(entry.nodeid(), nodeid -> met(nodeid, entry.attr()));
        inode.refresh(entry.attr());
        inode.found();
        return inode;
    }

    private GuestInode met(long nodeid, Attr attr) {
        GuestInode inode = new GuestInode(nodeid, attr);
        window.met(inode);
        return inode;
    }

    /// One more use of a file that is in use.
    public synchronized GuestInode use(GuestInode inode) {
        inode.use();
        return inode;
    }

    /// The end of a use.
    public void release(GuestInode inode) {
        synchronized (this) {
            if (!inode.release()) {
                return;
            }
            known.remove(inode.nodeid());
        }
        window.forgotten(inode);
        client.forget(inode.nodeid(), inode.lookups());
    }

    /// How many files the guest knows, the root among them.
    public synchronized int size() {
        return known.size();
    }
}
