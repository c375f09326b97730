package vitrine.guest.kernel.cache;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.fuse.struct.EntryOut;
import vitrine.guest.kernel.DaxPath;

/// Which files the guest knows, and how often the server said so.
///
/// Each entry in a reply adds one to the lookup count that the server keeps for the file. When
/// the last reference in the guest ends, all of it goes back with one FORGET.
public final class InodeCache {

    private final Terms terms;
    private final Map<Long, GuestInode> known = new HashMap<>();
    private final GuestInode root;
    private final DaxPath window;

    /// Knows the root, which is never forgotten; its attributes are yet to be asked for.
    public InodeCache(Terms terms, DaxPath window) {
        this.terms = terms;
        this.window = window;
        this.root = new GuestInode(GuestInode.ROOT, terms, Attrs.ofRoot());
        root.refer();
        known.put(GuestInode.ROOT, root);
    }

    /// The root.
    public GuestInode root() {
        return root;
    }

    /// The file of an entry that the server answered with, with one more reference.
    ///
    /// @param askedAt how many changes there had been when it was asked for; 0 if it does not
    ///     matter
    public GuestInode found(EntryOut entry, long askedAt) {
        GuestInode inode;
        boolean isNew;
        synchronized (this) {
            isNew = !known.containsKey(entry.nodeid());
            inode = known.computeIfAbsent(entry.nodeid(), nodeid -> begin(nodeid, entry));
            inode.lookedUp();
            inode.refer();
        }
        if (!isNew) {
            inode.refresh(entry.attr(), until(entry), askedAt);
        }
        return inode;
    }

    private GuestInode begin(long nodeid, EntryOut entry) {
        GuestInode inode = new GuestInode(nodeid, terms, entry.attr());
        inode.begin(entry.attr(), until(entry));
        window.met(inode);
        inode.useWindow(window.has(inode));
        return inode;
    }

    private long until(EntryOut entry) {
        return terms.until(entry.attrValid(), entry.attrValidNsec());
    }

    /// The server has named a file once more that is known and in use.
    ///
    /// @param askedAt how many changes there had been when it was asked for
    public void foundAgain(GuestInode inode, EntryOut entry, long askedAt) {
        synchronized (this) {
            inode.lookedUp();
        }
        inode.refresh(entry.attr(), until(entry), askedAt);
    }

    /// One more reference to a file that is known.
    public synchronized GuestInode refer(GuestInode inode) {
        inode.refer();
        return inode;
    }

    /// A reference is gone; with the last one, the file.
    void release(GuestInode inode) {
        long lookups;
        synchronized (this) {
            if (!inode.unrefer()) {
                return;
            }
            known.remove(inode.nodeid(), inode);
            lookups = inode.lookups();
        }
        window.forgotten(inode);
        if (lookups > 0) { // the root of a submount was never looked up by itself
            terms.client().forget(inode.nodeid(), lookups);
        }
    }

    /// Whether a file may stay known when nobody uses it. It is used through the DAX window, or
    /// not, for as long as it is known: one that the server names otherwise by now has to go first
    /// (`fuse_dax_dontcache`).
    boolean mayStay(GuestInode inode) {
        return !(inode.isNamedOtherwise() && window.isChosenByServer());
    }

    /// All files that are known.
    public synchronized List<GuestInode> all() {
        return List.copyOf(known.values());
    }

    /// How many files the guest knows, the root among them.
    public synchronized int size() {
        return known.size();
    }

    /// How many lookups the server has counted that it has not been given back: what it must hold.
    public synchronized Map<Long, Long> lookups() {
        Map<Long, Long> counts = new HashMap<>();
        known.values().stream()
                .filter(inode -> inode.lookups() > 0)
                .forEach(inode -> counts.put(inode.nodeid(), inode.lookups()));
        return counts;
    }
}
