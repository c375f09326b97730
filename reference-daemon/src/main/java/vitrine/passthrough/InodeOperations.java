package vitrine.passthrough;

import static vitrine.fuse.flag.SetattrFlag.ATIME;
import static vitrine.fuse.flag.SetattrFlag.ATIME_NOW;
import static vitrine.fuse.flag.SetattrFlag.FH;
import static vitrine.fuse.flag.SetattrFlag.GID;
import static vitrine.fuse.flag.SetattrFlag.KILL_SUIDGID;
import static vitrine.fuse.flag.SetattrFlag.MODE;
import static vitrine.fuse.flag.SetattrFlag.MTIME;
import static vitrine.fuse.flag.SetattrFlag.MTIME_NOW;
import static vitrine.fuse.flag.SetattrFlag.SIZE;
import static vitrine.fuse.flag.SetattrFlag.UID;

import vitrine.dax.Room;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.StatfsOut;
import vitrine.fuse.struct.StatxOut;
import vitrine.passthrough.held.HandleTable;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.passthrough.held.OpenFile;
import vitrine.passthrough.translation.IdTranslation;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.FileSystemStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.posix.Timespec;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// What the requests about an inode do on the host.
final class InodeOperations {

    private static final int NANOS_OF_SECOND = 1_000_000_000;
    private static final int UNCHANGED = -1; // chown(2)

    private final Syscalls sys;
    private final Identity identity;
    private final IdTranslation ids;
    private final FileCapability capability;
    private final InodeTable inodes;
    private final HandleTable handles;
    private final Attributes attributes;
    private final DaxFiles dax;
    private final Entries entries;
    private final Room room;
    private final SetIdBits setIdBits;

    InodeOperations(Share share) {
        sys = share.sys();
        identity = share.identity();
        ids = share.options().ids();
        capability = share.capability();
        inodes = share.inodes();
        handles = share.handles();
        attributes = share.attributes();
        dax = share.dax();
        entries = share.entries();
        room = share.room();
        setIdBits = new SetIdBits(share);
    }

    /// LOOKUP: finds a name in a directory. `.` and `..` come from a guest that exports the share
    /// over NFS (fuse.h: FUSE_EXPORT_SUPPORT); `..` never leads out of the share.
    EntryOut lookup(InodeRequest.Lookup request) throws ErrnoException {
        Name name = request.name();
        if (Names.isSelf(name)) {
            return entries.again(request.nodeid());
        }
        try (Inode directory = inodes.hold(request.nodeid())) {
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
            return attributes(inode);
        }
    }

    private AttrOut attributes(Inode inode) throws ErrnoException {
        FileStatus status = sys.statx(inode.fd(), FileStatus.ALL);
        return attributes.attributes(status, dax.flag(inode, status));
    }

    /// STATX: reads the attributes that GETATTR has, and when the file was made. What the host's
    /// file system cannot tell is missing in the reply's mask.
    StatxOut statx(InodeRequest.Statx request) throws ErrnoException {
        int wanted = request.in().sxMask() & Attributes.STATX_MASK;
        int sync = request.in().sxFlags() & (Fcntl.AT_STATX_FORCE_SYNC | Fcntl.AT_STATX_DONT_SYNC);
        try (Inode inode = inodes.hold(request.nodeid())) {
            return attributes.statx(sys.statx(inode.fd(), wanted, sync));
        }
    }

    /// ACCESS: whether the caller may read, write or execute. The host checks, ACLs included.
    ///
    /// Linux does not ask (it checks permissions itself, see `default_permissions`), another guest
    /// may. Supplementary groups count if they come along: without, who may by one of them only is
    /// refused, but nobody is let in who may not.
    void access(InodeRequest.Access request) throws ErrnoException {
        try (Inode inode = inodes.hold(request.nodeid());
                var _ = identity.asCaller(request.header(), request.extensions())) {
            sys.access(inode.fd(), request.in().mask());
        }
    }

    /// SETATTR: changes mode, owner, size and times, in this order, up to the first that fails.
    ///
    /// `ctime` cannot be set on the host: each change sets it anyway.
    AttrOut setattr(InodeRequest.Setattr request) throws ErrnoException {
        SetattrIn in = request.in();
        int uid = in.has(UID) ? ids.users().toHost(in.uid()) : UNCHANGED;
        int gid = in.has(GID) ? ids.groups().toHost(in.gid()) : UNCHANGED;
        try (Inode inode = inodes.hold(request.nodeid())) {
            if (setIdBits.areMeantBy(in)) {
                setIdBits.clear(request.header(), inode, in);
            }
            identity.mayKeepSetIdBits(); // but for truncate, see there
            if (in.has(MODE)) {
                sys.chmod(inode.fd(), in.mode() & ~Stat.S_IFMT);
            }
            if (in.has(UID) || in.has(GID)) {
                sys.chown(inode.fd(), uid, gid);
                capability.removeFrom(inode);
            }
            if (in.has(SIZE)) {
                truncate(request.header(), inode, in);
            }
            if (in.has(ATIME) || in.has(ATIME_NOW) || in.has(MTIME) || in.has(MTIME_NOW)) {
                Timespec access = time(in, ATIME, ATIME_NOW, in.atime(), in.atimensec());
                Timespec modification = time(in, MTIME, MTIME_NOW, in.mtime(), in.mtimensec());
                sys.utimens(inode.fd(), access, modification);
            }
            return attributes(inode);
        }
    }

    private void truncate(InHeader caller, Inode inode, SetattrIn in) throws ErrnoException {
        if (in.size() < 0) {
            throw new ErrnoException("size " + Long.toUnsignedString(in.size()), Errno.EINVAL);
        }
        identity.mayKeepSetIdBits(caller, !in.has(KILL_SUIDGID));
        room.make(inode.hostFile(), inode.fd(), in.size());
        if (in.has(FH)) {
            try (OpenFile file = handles.file(in.fh(), inode.nodeid())) {
                capability.removeFrom(file);
                sys.ftruncate(file.fd(), in.size());
            }
        } else {
            capability.removeBeforeTruncating(inode);
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
