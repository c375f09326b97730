package vitrine.passthrough;

import static vitrine.fuse.flag.SetattrFlag.ATIME;
import static vitrine.fuse.flag.SetattrFlag.ATIME_NOW;
import static vitrine.fuse.flag.SetattrFlag.FH;
import static vitrine.fuse.flag.SetattrFlag.GID;
import static vitrine.fuse.flag.SetattrFlag.KILL_SUIDGID;
import static vitrine.fuse.flag.SetattrFlag.LOCKOWNER;
import static vitrine.fuse.flag.SetattrFlag.MODE;
import static vitrine.fuse.flag.SetattrFlag.MTIME;
import static vitrine.fuse.flag.SetattrFlag.MTIME_NOW;
import static vitrine.fuse.flag.SetattrFlag.SIZE;
import static vitrine.fuse.flag.SetattrFlag.UID;

import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.StatfsOut;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileSystemStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.posix.Timespec;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// What the requests about an inode do on the host.
final class InodeOperations {

    private static final int NANOS_OF_SECOND = 1_000_000_000;
    private static final long NO_CHANGE = Flag.word(FH, LOCKOWNER, KILL_SUIDGID); // they only say how
    private static final int UNCHANGED = -1; // chown(2)

    private final Syscalls sys;
    private final Negotiation negotiation;
    private final Identity identity;
    private final InodeTable inodes;
    private final HandleTable handles;
    private final Attributes attributes;
    private final Entries entries;

    InodeOperations(Share share) {
        sys = share.sys();
        negotiation = share.negotiation();
        identity = share.identity();
        inodes = share.inodes();
        handles = share.handles();
        attributes = share.attributes();
        entries = share.entries();
    }

    /// LOOKUP: finds a name in a directory. `.` and `..` come from a guest that exports the share
    /// over NFS (fuse.h: FUSE_EXPORT_SUPPORT); `..` never leads out of the share.
    EntryOut lookup(InodeRequest.Lookup request) throws ErrnoException {
        Name name = request.name();
        try (Inode directory = inodes.hold(request.nodeid())) {
            if (Names.isSelf(name)) {
                return entries.again(directory);
            }
            if (Names.isParent(name)) {
                return entries.above(directory);
            }
            return entries.find(directory.fd(), directory.key(), Names.checked(name));
        }
    }

    /// FORGET: takes lookups of one inode back.
    void forget(InodeRequest.Forget request) {
        inodes.forget(request.nodeid(), request.in().nlookup());
    }

    /// BATCH_FORGET: takes lookups of many inodes back.
    void batchForget(InodeRequest.BatchForget request) {
        for (ForgetOne one : request.forgets()) {
            inodes.forget(one.nodeid(), one.nlookup());
        }
    }

    /// GETATTR: reads the attributes. An open file is the same inode, so the handle that may come
    /// along tells nothing new.
    AttrOut getattr(InodeRequest.Getattr request) throws ErrnoException {
        try (Inode inode = inodes.hold(request.nodeid())) {
            return attributes.attributes(sys.statx(inode.fd(), Attributes.MASK));
        }
    }

    /// SETATTR: changes mode, owner, size and times, in this order, up to the first that fails.
    ///
    /// `ctime` cannot be set on the host: each change sets it anyway.
    AttrOut setattr(InodeRequest.Setattr request) throws ErrnoException {
        SetattrIn in = request.in();
        try (Inode inode = inodes.hold(request.nodeid())) {
            identity.mayKeepSetIdBits(true); // but for truncate, see there
            if (asksToClearSetIdBits(in)) {
                sys.chown(inode.fd(), UNCHANGED, UNCHANGED);
            }
            if (in.has(MODE)) {
                sys.chmod(inode.fd(), in.mode() & ~Stat.S_IFMT);
            }
            if (in.has(UID) || in.has(GID)) {
                sys.chown(inode.fd(), in.has(UID) ? in.uid() : UNCHANGED, in.has(GID) ? in.gid() : UNCHANGED);
            }
            if (in.has(SIZE)) {
                truncate(inode, in);
            }
            if (in.has(ATIME) || in.has(ATIME_NOW) || in.has(MTIME) || in.has(MTIME_NOW)) {
                Timespec access = time(in, ATIME, ATIME_NOW, in.atime(), in.atimensec());
                Timespec modification = time(in, MTIME, MTIME_NOW, in.mtime(), in.mtimensec());
                sys.utimens(inode.fd(), access, modification);
            }
            return attributes.attributes(sys.statx(inode.fd(), Attributes.MASK));
        }
    }

    /// Whether a SETATTR is there for the set-ID bits only, which a `chown` to nobody clears under
    /// the host's lock (of a program; a directory keeps its bits).
    ///
    /// With HANDLE_KILLPRIV_V2 Linux drops the bits out of a SETATTR that it makes for the VFS and
    /// sends what is left, which may be nothing at all: before a write through a DAX window and
    /// before FALLOCATE, which have no flag of their own, and for `chown(-1, -1)`. Taken literally,
    /// the bits would survive all three. The price: when root writes to a file that has set-ID bits
    /// *and* file capabilities, the same empty SETATTR comes for the capabilities, and the bits go
    /// with them.
    private boolean asksToClearSetIdBits(SetattrIn in) {
        if ((in.valid() & ~NO_CHANGE) == 0 && negotiation.has(InitFlag.HANDLE_KILLPRIV_V2)) {
            return true;
        }
        // chown clears them itself, truncate when CAP_FSETID is missing
        return in.has(KILL_SUIDGID) && !in.has(UID) && !in.has(GID) && !in.has(SIZE);
    }

    private void truncate(Inode inode, SetattrIn in) throws ErrnoException {
        identity.mayKeepSetIdBits(!in.has(KILL_SUIDGID));
        if (in.has(FH)) {
            try (OpenFile file = handles.file(in.fh(), inode.nodeid())) {
                sys.ftruncate(file.fd(), in.size());
            }
        } else {
            sys.truncate(inode.fd(), in.size());
        }
    }

    private static Timespec time(SetattrIn in, SetattrFlag given, SetattrFlag now, long seconds, int nanos)
            throws ErrnoException {
        if (in.has(now)) {
            return Timespec.NOW;
        }
        if (!in.has(given)) {
            return Timespec.OMIT;
        }
        if (nanos < 0 || nanos >= NANOS_OF_SECOND) {
            // Beyond are NOW and OMIT, which a guest says in other words.
            throw new ErrnoException(Integer.toUnsignedString(nanos) + " ns", Errno.EINVAL);
        }
        return new Timespec(seconds, nanos);
    }

    /// READLINK: what a symbolic link says, without NUL.
    Buffers readlink(InodeRequest.Readlink request) throws ErrnoException {
        try (Inode inode = inodes.hold(request.nodeid())) {
            if (inode.type() != Stat.S_IFLNK) {
                throw new ErrnoException("readlink", Errno.EINVAL); // the host would say ENOENT
            }
            return Buffers.ofBytes(sys.readlink(inode.fd()));
        }
    }

    /// STATFS: how large and how full the file system is on which the inode is.
    StatfsOut statfs(InodeRequest.Statfs request) throws ErrnoException {
        try (Inode inode = inodes.hold(request.nodeid())) {
            FileSystemStatus status = sys.fstatfs(inode.fd());
            return new StatfsOut(new Kstatfs(
                    status.blocks(),
                    status.blocksFree(),
                    status.blocksAvailable(),
                    status.files(),
                    status.filesFree(),
                    (int) status.blockSize(),
                    (int) status.nameLength(),
                    (int) status.fragmentSize()));
        }
    }

    /// SYNCFS: makes the whole file system durable on which the inode is.
    void syncfs(InodeRequest.Syncfs request) throws ErrnoException {
        try (Inode inode = inodes.hold(request.nodeid())) {
            if (inode.type() != Stat.S_IFDIR && inode.type() != Stat.S_IFREG) {
                throw new ErrnoException("syncfs", Errno.EBADF); // nothing else may be opened
            }
            try (Fd open = sys.reopen(inode.fd(), Fcntl.O_RDONLY)) { // syncfs takes no O_PATH descriptor
                sys.syncfs(open);
            }
        }
    }
}
