package vitrine.passthrough;

import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.held.FileKey;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileHandle;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// From a name in a directory to a nodeid: the host is asked, the table counts one more lookup.
///
/// Each method that answers an [EntryOut] has counted a lookup, which the guest gives back by
/// FORGET. If the reply is not sent after all, [InodeTable#forget] takes it back.
final class Entries {

    private static final int SUBMOUNT = Flag.word32(AttrFlag.SUBMOUNT);
    private static final Name PARENT = Name.of("..");

    private final Syscalls sys;
    private final InodeTable inodes;
    private final Attributes attributes;
    private final Negotiation negotiation;
    private final DaxFiles dax;

    Entries(Syscalls sys, InodeTable inodes, Attributes attributes, Negotiation negotiation, DaxFiles dax) {
        this.sys = sys;
        this.inodes = inodes;
        this.attributes = attributes;
        this.negotiation = negotiation;
        this.dax = dax;
    }

    /// Looks up a name that has been checked.
    ///
    /// Most lookups ask whether a name still means what it did. `statx` by name tells: if the table
    /// has the file, one call was enough, and no descriptor was needed, so that files the guest
    /// knows can be looked up even when no descriptor is left.
    ///
    /// By the time that a file is opened, its name may lead to another one than when its status was
    /// asked. So that is asked again, unless it must be the same by its handle.
    ///
    /// @param directory a descriptor of the directory, for reading or `O_PATH`
    /// @param key which directory it is
    EntryOut find(Fd directory, FileKey key, Name name) throws ErrnoException {
        long newest = inodes.nodeids().last();
        FileStatus status = sys.statxAt(directory, name, FileStatus.ALL);
        long open = inodes.addLookup(status);
        long nodeid = open != 0 ? open : inodes.addLookup(directory, name, status, newest);
        if (nodeid != 0) {
            return entry(nodeid, status, key);
        }
        inodes.requireRoomToKnow();
        Fd found = open(directory, name);
        FileHandle handle = inodes.handleIfKept(found, status);
        boolean same = inodes.wasKnown(FileKey.of(status), handle, newest);
        try (Entered entered = enter(found, same ? status : status(found), handle, key)) {
            return entered.entry();
        }
    }

    /// Looks up what was just made, by who has asked for room before.
    ///
    /// It was made whatever has become of it since. If somebody on the host has removed it, or has
    /// given its name to something else, the guest hears of success all the same, as a program on
    /// the host does, and gets the nodeid of nothing: it may believe the name for no time, so it
    /// looks it up before it does anything with it.
    ///
    /// @param type of the file, as in `st_mode`
    EntryOut findMade(Inode directory, Name name, int type) throws ErrnoException {
        try {
            EntryOut found = findNew(directory.fd(), directory.key(), name);
            if ((found.attr().mode() & Stat.S_IFMT) == type) {
                return found;
            }
            inodes.forget(found.nodeid(), 1);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
        return Attributes.removed(inodes.nodeids().next(), type);
    }

    private EntryOut findNew(Fd directory, FileKey key, Name name) throws ErrnoException {
        try (Entered found = enter(open(directory, name), key)) {
            return found.entry();
        }
    }

    private Fd open(Fd directory, Name name) throws ErrnoException {
        return sys.openat(directory, name, Fcntl.O_PATH | Fcntl.O_NOFOLLOW, 0);
    }

    /// A file that was given a nodeid, and its inode for as long as this is open.
    record Entered(EntryOut entry, Inode inode) implements AutoCloseable {

        @Override
        public void close() {
            inode.close();
        }
    }

    /// Looks up a name that the host has just listed.
    ///
    /// @param ino what the listing says of its inode: only a hint, which way is the shorter one
    EntryOut findListed(Fd directory, FileKey key, Name name, long ino) throws ErrnoException {
        boolean known = inodes.has(new FileKey(key.device(), ino, key.mountId()));
        return known ? find(directory, key, name) : findNew(directory, key, name);
    }

    /// Whether a directory has this name, which is not looked up.
    boolean exists(Fd directory, Name name) throws ErrnoException {
        try {
            sys.statxAt(directory, name, Stat.STATX_TYPE);
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }

    /// Gives the file that `pathFd` refers to a nodeid, unless it has one.
    ///
    /// @param pathFd an `O_PATH` descriptor, taken over
    /// @param directory the directory that the file was found in
    Entered enter(Fd pathFd, FileKey directory) throws ErrnoException {
        return enter(pathFd, status(pathFd), null, directory);
    }

    /// The same for a file that was just made.
    ///
    /// @param newest the newest nodeid before that
    Entered enterMade(Fd pathFd, FileKey directory, long newest) throws ErrnoException {
        FileStatus status = status(pathFd);
        inodes.removeEarlier(FileKey.of(status), newest);
        return enter(pathFd, status, null, directory);
    }

    private Entered enter(Fd pathFd, FileStatus status, FileHandle handle, FileKey directory) throws ErrnoException {
        Inode inode = inodes.add(pathFd, status, handle);
        return new Entered(entry(inode.nodeid(), status, directory), inode);
    }

    private FileStatus status(Fd pathFd) throws ErrnoException {
        try {
            return sys.statx(pathFd, FileStatus.ALL);
        } catch (ErrnoException e) {
            pathFd.close();
            throw e;
        }
    }

    /// Tells a nodeid once more that the guest has, or has had: LOOKUP of `.`.
    EntryOut again(long nodeid) throws ErrnoException {
        try (Inode inode = inodes.hold(nodeid)) {
            return again(inode);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ESTALE) {
                throw e;
            }
        }
        try (Entered entered = enter(inodes.openForgotten(nodeid), inodes.rootKey())) {
            return entered.entry();
        }
    }

    /// Tells a nodeid that the guest has already once more.
    EntryOut again(Inode inode) throws ErrnoException {
        FileStatus status = sys.statx(inode.fd(), FileStatus.ALL);
        if (!inode.addLookup()) {
            throw new ErrnoException("nodeid " + inode.nodeid(), Errno.ESTALE); // forgotten meanwhile
        }
        return entry(inode.nodeid(), status, dax.flag(inode, status));
    }

    /// The directory above, and above the root the root itself.
    ///
    /// A directory that somebody moves out of the share on the host keeps its nodeid. Its `..` is
    /// then a directory that was never shared, which is why the way up to the root is followed:
    /// rarely asked for (file handles of an NFS server in the guest), so it may cost a few calls.
    EntryOut above(Inode directory) throws ErrnoException {
        if (directory.nodeid() == InodeTable.ROOT) {
            return again(directory);
        }
        Fd above = parent(directory.fd());
        try {
            FileStatus status = sys.statx(above, FileStatus.ALL);
            if (isShared(above, FileKey.of(status))) {
                try (Inode inode = inodes.add(above, status, null)) {
                    return entry(inode.nodeid(), status, 0); // we come from inside: no submount
                }
            }
        } catch (ErrnoException e) {
            above.close();
            throw e;
        }
        above.close();
        throw new ErrnoException("nodeid " + directory.nodeid() + " is outside the share", Errno.ESTALE);
    }

    /// The directory above. Where only the share is mounted, a directory that is no longer in it
    /// has none: the host says `ENOENT`, which is no answer to a nodeid.
    private Fd parent(Fd directory) throws ErrnoException {
        try {
            return sys.openat(directory, PARENT, Fcntl.O_PATH | Fcntl.O_DIRECTORY, 0);
        } catch (ErrnoException e) {
            throw e.errno() == Errno.ENOENT ? new ErrnoException(e.call(), Errno.ESTALE) : e;
        }
    }

    private boolean isShared(Fd directory, FileKey key) throws ErrnoException {
        Fd at = directory;
        FileKey atKey = key;
        try {
            while (!atKey.equals(inodes.rootKey())) {
                Fd above = parent(at);
                if (at != directory) {
                    at.close();
                }
                at = above;
                FileKey aboveKey = FileKey.of(sys.statx(above, FileStatus.ALL));
                if (aboveKey.equals(atKey)) {
                    return false; // the top of all there is
                }
                atKey = aboveKey;
            }
            return true;
        } finally {
            if (at != directory) {
                at.close();
            }
        }
    }

    private EntryOut entry(long nodeid, FileStatus status, FileKey directory) {
        boolean submount = negotiation.has(InitFlag.SUBMOUNTS)
                && Stat.isDirectory(status.mode())
                && (status.mountId() != directory.mountId() || status.dev() != directory.device());
        return entry(nodeid, status, submount ? SUBMOUNT : dax.flag(nodeid, status));
    }

    private EntryOut entry(long nodeid, FileStatus status, int flags) {
        return attributes.entry(nodeid, inodes.generation(nodeid, FileKey.of(status)), status, flags);
    }
}
