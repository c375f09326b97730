package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EIO;
import static vitrine.posix.Errno.ENAMETOOLONG;
import static vitrine.posix.Errno.ENOENT;

import java.nio.charset.StandardCharsets;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.struct.EntryOut;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.rule.Freshness;
import vitrine.guest.kernel.rule.Freshness.Known;
import vitrine.guest.kernel.rule.Freshness.Look;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// A name in a directory: as the guest knows it, or by LOOKUP (`fuse_dentry_revalidate` and
/// `fuse_lookup` in Linux).
final class NameLookup {

    private static final int ENTRY_OUT = (int) EntryOut.LAYOUT.byteSize();
    private static final int LONGEST_NAME = 1024; // Linux: FUSE_NAME_MAX, up to 6.14

    private final Mount mount;

    NameLookup(Mount mount) {
        this.mount = mount;
    }

    /// What the name names, used once more; perhaps nothing.
    ///
    /// @param demanded whether the server is asked whatever is known
    Dentry find(Task task, Dentry directory, String name, boolean demanded) throws ErrnoException {
        Dentry known = mount.names().find(directory, name);
        Look look = mount.by(
                new Freshness.Entry(known(known), known != null && mount.names().isExpired(known), demanded));
        if (look == Look.BELIEVE) {
            if (known.inode() != null && known.inode().takeListed()) {
                directory.inode().namesWereUsed();
            }
            return known;
        }
        if (look == Look.ASK_AGAIN && isStill(task, directory, name, known)) {
            return known;
        }
        if (known != null) {
            mount.names().invalidate(known);
            mount.names().release(known);
        }
        return lookUp(task, directory, name);
    }

    private static Known known(Dentry dentry) {
        if (dentry == null) {
            return Known.NOTHING;
        }
        return dentry.isNegative() ? Known.NO_FILE : Known.A_FILE;
    }

    /// Asks whether a name is still that of the file that is known. If it is another's, the lookup
    /// that the server has counted for that one goes back at once.
    private boolean isStill(Task task, Dentry directory, String name, Dentry known) throws ErrnoException {
        GuestInode inode = known.inode();
        long askedAt = inode.askedAt();
        EntryOut entry;
        try {
            entry = ask(task, directory, name);
        } catch (ErrnoException _) {
            return false; // the second LOOKUP, which follows, says why
        }
        if (entry.nodeid() == 0) {
            return false;
        }
        boolean mountPoint = AttrFlag.SUBMOUNT.in(entry.attr().flags());
        boolean sameType = (entry.attr().mode() & Stat.S_IFMT) == (inode.attr().mode() & Stat.S_IFMT);
        if (entry.nodeid() != inode.nodeid()
                || mountPoint != AttrFlag.SUBMOUNT.in(inode.attr().flags())) {
            mount.client().forget(entry.nodeid(), 1);
            return false;
        }
        mount.inodes().foundAgain(inode, entry, askedAt);
        mount.names().confirmed(known, entry);
        return sameType;
    }

    private Dentry lookUp(Task task, Dentry directory, String name) throws ErrnoException {
        if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
            throw new ErrnoException("LOOKUP", ENAMETOOLONG);
        }
        long askedAt = directory.inode().askedAt();
        EntryOut entry;
        try {
            entry = ask(task, directory, name);
        } catch (ErrnoException e) {
            if (e.errno() != ENOENT) {
                throw e;
            }
            return mount.names().enter(directory, name, null, null);
        }
        if (entry.nodeid() == 0) { // a server's way to let us remember that there is no such name
            return mount.names().enter(directory, name, null, entry);
        }
        if (entry.nodeid() == GuestInode.ROOT) {
            throw new ErrnoException("LOOKUP: the root, within the share", EIO);
        }
        Dentry found = enter(directory, name, entry, askedAt);
        directory.inode().namesWereUsed();
        return found;
    }

    /// Enters what a reply says of a name.
    Dentry enter(Dentry directory, String name, EntryOut entry, long askedAt) {
        return mount.names().enter(directory, name, mount.inodes().found(entry, askedAt), entry);
    }

    private EntryOut ask(Task task, Dentry directory, String name) throws ErrnoException {
        var request = new InodeRequest.Lookup(
                mount.client().header(task, directory.inode().nodeid()), Name.of(name));
        return mount.client().ask(request, ENTRY_OUT, EntryOut::decode);
    }
}
