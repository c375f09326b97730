package vitrine.guest.kernel.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import vitrine.fuse.struct.EntryOut;
import vitrine.posix.Stat;

/// The names that the guest knows (the dentry cache).
///
/// A name is in use while a walk, an open file or a name below needs it. What is in use no more
/// stays known, unless the server allowed no time for it: then it goes at once, and if it was the
/// last to refer to its file, so does the file, with a FORGET.
public final class Dentries {

    private final Terms terms;
    private final InodeCache inodes;
    private final Map<Place, Dentry> known = new HashMap<>();
    private final Map<GuestInode, Dentry> directories = new IdentityHashMap<>(); // each has one name
    private final Map<Long, Dentry> submounts = new HashMap<>(); // by nodeid of their roots
    private final Dentry root;

    private record Place(Dentry directory, String name) {}

    /// Knows the root only.
    public Dentries(Terms terms, InodeCache inodes) {
        this.terms = terms;
        this.inodes = inodes;
        this.root = new Dentry(inodes.root(), null, "/");
        root.hashed = true;
        root.uses = 1; // the mount's
    }

    /// The root, used once more.
    public synchronized Dentry root() {
        root.uses++;
        return root;
    }

    /// What is known of a name, used once more; null if nothing is.
    public synchronized Dentry find(Dentry directory, String name) {
        Dentry dentry = known.get(new Place(directory, name));
        if (dentry != null) {
            dentry.uses++;
        }
        return dentry;
    }

    /// Whether the time is over for which the server allowed to believe in the name.
    public synchronized boolean isExpired(Dentry dentry) {
        return terms.expired(dentry.validUntil);
    }

    /// One more use of what is in use.
    public synchronized Dentry use(Dentry dentry) {
        dentry.uses++;
        return dentry;
    }

    /// The end of a use.
    public void release(Dentry dentry) {
        List<GuestInode> gone = new ArrayList<>();
        synchronized (this) {
            unuse(dentry, gone);
        }
        gone.forEach(inodes::release);
    }

    private void unuse(Dentry dentry, List<GuestInode> gone) {
        Dentry at = dentry;
        while (at != null && --at.uses == 0) {
            if (at.hashed && !Terms.isNever(at.validUntil) && (at.inode() == null || inodes.mayStay(at.inode()))) {
                return;
            }
            at = destroy(at, gone);
        }
    }

    /// @return what was in use by it
    private Dentry destroy(Dentry dentry, List<GuestInode> gone) {
        unhash(dentry);
        if (dentry.inode() != null) {
            gone.add(dentry.inode());
        }
        return dentry.parent;
    }

    private void unhash(Dentry dentry) {
        if (dentry.hashed) {
            known.remove(new Place(dentry.parent, dentry.name));
            dentry.hashed = false;
            directories.remove(dentry.inode(), dentry);
        }
    }

    /// Enters a name that the server has answered with, used once.
    ///
    /// @param inode its file, with a reference that becomes the name's; null if there is none
    /// @param entry how long it may be believed; null for no time
    public Dentry enter(Dentry directory, String name, GuestInode inode, EntryOut entry) {
        List<GuestInode> gone = new ArrayList<>();
        Dentry dentry;
        synchronized (this) {
            Dentry old = known.get(new Place(directory, name));
            if (old != null && old.inode() == inode && inode != null) {
                gone.add(inode); // somebody was faster
                old.uses++;
                dentry = old;
            } else {
                forget(old, gone);
                Dentry elsewhere = isDirectory(inode) ? directories.get(inode) : null;
                if (elsewhere != null) { // a directory has one name: it has been moved
                    gone.add(inode);
                    elsewhere.uses++;
                    put(elsewhere, directory, name, gone);
                    dentry = elsewhere;
                } else {
                    dentry = new Dentry(inode, directory, name);
                    dentry.uses = 1;
                    directory.uses++;
                    hash(dentry);
                }
            }
            dentry.validUntil = entry == null ? Terms.never() : Dentry.until(terms, entry);
        }
        gone.forEach(inodes::release);
        return dentry;
    }

    private static boolean isDirectory(GuestInode inode) {
        return inode != null && Stat.isDirectory(inode.attr().mode());
    }

    private void hash(Dentry dentry) {
        known.put(new Place(dentry.parent, dentry.name), dentry);
        dentry.hashed = true;
        if (isDirectory(dentry.inode())) {
            directories.put(dentry.inode(), dentry);
        }
    }

    private void forget(Dentry dentry, List<GuestInode> gone) {
        if (dentry != null && dentry.hashed) {
            dentry.uses++;
            unhash(dentry);
            if (isDirectory(dentry.inode())) {
                dropUnused(gone, dentry);
            }
            unuse(dentry, gone);
        }
    }

    private void unuseParent(Dentry dentry, List<GuestInode> gone) {
        Dentry parent = destroy(dentry, gone);
        if (parent != null) {
            unuse(parent, gone);
        }
    }

    /// A file without a name, used once.
    public Dentry unnamed(Dentry directory, GuestInode inode) {
        synchronized (this) {
            Dentry dentry = new Dentry(inode, directory, "#" + inode.nodeid());
            dentry.uses = 1;
            dentry.validUntil = Terms.never();
            directory.uses++;
            return dentry;
        }
    }

    /// The server has confirmed a name.
    public synchronized void confirmed(Dentry dentry, EntryOut entry) {
        dentry.validUntil = Dentry.until(terms, entry);
    }

    /// The name has to be looked up the next time.
    public synchronized void expire(Dentry dentry) {
        dentry.validUntil = Terms.never();
    }

    /// The name is not what it was: no walk finds it any more, nor anything unused below.
    public void invalidate(Dentry dentry) {
        List<GuestInode> gone = new ArrayList<>();
        synchronized (this) {
            forget(dentry, gone);
        }
        gone.forEach(inodes::release);
    }

    /// A name has been moved; what had the new name is hidden.
    public void moved(Dentry dentry, Dentry directory, String name) {
        List<GuestInode> gone = new ArrayList<>();
        synchronized (this) {
            forget(known.get(new Place(directory, name)), gone);
            put(dentry, directory, name, gone);
        }
        gone.forEach(inodes::release);
    }

    private void put(Dentry dentry, Dentry directory, String name, List<GuestInode> gone) {
        unhash(dentry);
        Dentry old = dentry.parent;
        dentry.parent = directory;
        dentry.name = name;
        directory.uses++;
        hash(dentry);
        if (old != null) {
            unuse(old, gone);
        }
    }

    /// Two names have changed places.
    public void exchanged(Dentry one, Dentry other) {
        List<GuestInode> gone = new ArrayList<>();
        synchronized (this) {
            Dentry directory = one.parent;
            String name = one.name;
            unhash(one);
            unhash(other);
            Dentry target = other.parent;
            String targetName = other.name;
            put(other, directory, name, gone);
            put(one, target, targetName, gone);
        }
        gone.forEach(inodes::release);
    }

    /// Drops all names that are not in use (`/proc/sys/vm/drop_caches`).
    public void shrink() {
        List<GuestInode> gone = new ArrayList<>();
        synchronized (this) {
            dropUnused(gone, null);
        }
        gone.forEach(inodes::release);
    }

    /// Drops the unused names below one, or all.
    private void dropUnused(List<GuestInode> gone, Dentry below) {
        boolean more = true;
        while (more) {
            List<Dentry> unused = known.values().stream()
                    .filter(dentry -> dentry.uses == 0 && (below == null || isBelow(dentry, below)))
                    .toList();
            more = !unused.isEmpty();
            unused.stream().filter(dentry -> dentry.hashed).forEach(dentry -> unuseParent(dentry, gone));
        }
    }

    private static boolean isBelow(Dentry dentry, Dentry above) {
        for (Dentry at = dentry.parent; at != null; at = at.parent) {
            if (at == above) {
                return true;
            }
        }
        return false;
    }

    /// The root of the file system that is mounted upon a directory, used once more. It is mounted
    /// if it is not yet (fuse.h: FUSE_ATTR_SUBMOUNT).
    public synchronized Dentry submount(Dentry directory) {
        Dentry mounted = submounts.computeIfAbsent(directory.inode().nodeid(), nodeid -> {
            GuestInode again = new GuestInode(nodeid, terms, directory.inode().attr());
            directory.uses++; // for as long as it is mounted
            Dentry top = new Dentry(again, null, "/");
            top.uses = 1;
            top.hashed = true;
            return top;
        });
        mounted.uses++;
        return mounted;
    }

    /// The number of each mounted file system's root, the share's first.
    public synchronized List<Long> mounts() {
        List<Long> mounts = new ArrayList<>(List.of(GuestInode.ROOT));
        mounts.addAll(submounts.keySet());
        return mounts;
    }
}
