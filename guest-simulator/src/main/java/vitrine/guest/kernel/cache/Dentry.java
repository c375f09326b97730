package vitrine.guest.kernel.cache;

import vitrine.fuse.struct.EntryOut;

/// A name in a directory, and what the guest knows of it (`struct dentry` in Linux).
///
/// Guarded by the [Dentries] that it belongs to, but for the file, which it keeps.
public final class Dentry {

    private final GuestInode inode; // null if there is no such name
    Dentry parent; // null for a root
    String name;
    long validUntil;
    boolean hashed; // whether a walk finds it
    int uses; // walks, open files, and names below

    Dentry(GuestInode inode, Dentry parent, String name) {
        this.inode = inode;
        this.parent = parent;
        this.name = name;
    }

    /// The file; null if the server said that there is no such name.
    public GuestInode inode() {
        return inode;
    }

    /// Whether the server said that there is no such name.
    public boolean isNegative() {
        return inode == null;
    }

    /// Whether both belong to one file system, so that a name may go from one to the other.
    public boolean isOnMountOf(Dentry other) {
        return root() == other.root();
    }

    private Dentry root() {
        Dentry at = this;
        while (at.parent != null) {
            at = at.parent;
        }
        return at;
    }

    /// Whether it is the root of the share or of a submount.
    public boolean isMountRoot() {
        return parent == null;
    }

    /// How long an entry may be believed.
    static long until(Terms terms, EntryOut entry) {
        return terms.until(entry.entryValid(), entry.entryValidNsec());
    }
}
