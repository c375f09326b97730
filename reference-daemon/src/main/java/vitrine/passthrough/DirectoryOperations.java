package vitrine.passthrough;

import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.flag.FsyncFlag;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.passthrough.held.DescriptorBudget;
import vitrine.passthrough.held.HandleTable;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.passthrough.held.OpenDirectory;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// What the requests about the names in a directory do on the host.
///
/// What is made is made as the caller, so that it belongs to them and the host's permissions count;
/// then it is looked up as the daemon: who may write to a directory need not be able to search it.
final class DirectoryOperations {

    private static final int RENAME_FLAGS = Fcntl.RENAME_NOREPLACE | Fcntl.RENAME_EXCHANGE | Fcntl.RENAME_WHITEOUT;

    private final Syscalls sys;
    private final Identity identity;
    private final Creation creation;
    private final DescriptorBudget budget;
    private final InodeTable inodes;
    private final HandleTable handles;
    private final Entries entries;
    private final DirectoryListing listing;
    private final HostFlags hostFlags;
    private final int openFlags;

    DirectoryOperations(Share share) {
        sys = share.sys();
        identity = share.identity();
        creation = share.creation();
        budget = share.budget();
        inodes = share.inodes();
        handles = share.handles();
        entries = share.entries();
        listing = new DirectoryListing(sys, entries);
        hostFlags = new HostFlags(share.options(), share.negotiation());
        openFlags = share.options().cache().directoryFlags();
    }

    /// SYMLINK: makes a symbolic link; what it says is up to the caller and resolved by the guest
    /// only.
    EntryOut symlink(DirectoryRequest.Symlink request) throws ErrnoException {
        Name name = Names.checked(request.name());
        inodes.requireRoomToKnow(); // before anything is made
        try (Inode directory = inodes.hold(request.nodeid())) {
            Creation.Maker maker = new Creation.Maker(request.header(), request.extensions(), 0);
            creation.make(maker, at(directory, name, 0), () -> sys.symlinkat(request.target(), directory.fd(), name));
            return entries.findMade(directory, name, Stat.S_IFLNK);
        }
    }

    /// MKNOD: makes a regular file, FIFO, socket or device.
    EntryOut mknod(DirectoryRequest.Mknod request) throws ErrnoException {
        Name name = Names.checked(request.name());
        inodes.requireRoomToKnow(); // before anything is made
        try (Inode directory = inodes.hold(request.nodeid())) {
            long device = Integer.toUnsignedLong(request.in().rdev()); // the lower half of dev_t
            MknodIn in = request.in();
            Creation.Maker maker = new Creation.Maker(request.header(), request.extensions(), in.umask());
            creation.make(maker, at(directory, name, 0), () -> sys.mknodat(directory.fd(), name, in.mode(), device));
            return entries.findMade(directory, name, in.mode() & Stat.S_IFMT);
        }
    }

    /// MKDIR: makes a directory.
    EntryOut mkdir(DirectoryRequest.Mkdir request) throws ErrnoException {
        Name name = Names.checked(request.name());
        inodes.requireRoomToKnow(); // before anything is made
        try (Inode directory = inodes.hold(request.nodeid())) {
            MkdirIn in = request.in();
            Creation.Maker maker = new Creation.Maker(request.header(), request.extensions(), in.umask());
            int permissions = in.mode() & ~Stat.S_IFMT;
            creation.make(
                    maker,
                    at(directory, name, Fcntl.AT_REMOVEDIR),
                    () -> sys.mkdirat(directory.fd(), name, permissions));
            return entries.findMade(directory, name, Stat.S_IFDIR);
        }
    }

    private static Creation.Place at(Inode directory, Name name, int unlinkFlags) throws ErrnoException {
        return new Creation.Place(directory.fd(), name, unlinkFlags);
    }

    /// UNLINK: removes a name of what is no directory.
    void unlink(DirectoryRequest.Unlink request) throws ErrnoException {
        Name name = Names.checked(request.name());
        try (Inode directory = inodes.hold(request.nodeid())) {
            sys.unlinkat(directory.fd(), name, 0);
        }
    }

    /// RMDIR: removes an empty directory.
    void rmdir(DirectoryRequest.Rmdir request) throws ErrnoException {
        Name name = Names.checked(request.name());
        try (Inode directory = inodes.hold(request.nodeid())) {
            sys.unlinkat(directory.fd(), name, Fcntl.AT_REMOVEDIR);
        }
    }

    /// RENAME: moves a name, replacing what has the new one.
    void rename(DirectoryRequest.Rename request) throws ErrnoException {
        rename(new Move(request.header(), request.oldName(), request.in().newdir(), request.newName()), 0);
    }

    /// RENAME2: moves a name without replacing another, leaves a whiteout behind, or exchanges two.
    ///
    /// A whiteout is a file that is made, and belongs to the caller. Their supplementary groups do
    /// not come along, so it is the guest's kernel that has judged whether they may.
    void rename2(DirectoryRequest.Rename2 request) throws ErrnoException {
        int flags = request.in().flags();
        if ((flags & ~RENAME_FLAGS) != 0) {
            // Dropping a flag that is not known could replace what was to be kept.
            throw new ErrnoException("rename with flags 0x" + Integer.toHexString(flags), Errno.EINVAL);
        }
        rename(new Move(request.header(), request.oldName(), request.in().newdir(), request.newName()), flags);
    }

    private record Move(InHeader header, Name oldName, long to, Name newName) {}

    private void rename(Move move, int flags) throws ErrnoException {
        Name oldName = Names.checked(move.oldName);
        Name newName = Names.checked(move.newName);
        try (Inode from = inodes.hold(move.header.nodeid());
                Inode to = inodes.hold(move.to)) {
            if ((flags & Fcntl.RENAME_WHITEOUT) == 0) {
                sys.renameat2(from.fd(), oldName, to.fd(), newName, flags);
            } else {
                identity.makeCheckedByGuest(move.header, () -> {
                    sys.renameat2(from.fd(), oldName, to.fd(), newName, flags);
                    return null;
                });
            }
        }
    }

    /// LINK: gives a file one more name.
    EntryOut link(DirectoryRequest.Link request) throws ErrnoException {
        Name name = Names.checked(request.newName());
        try (Inode directory = inodes.hold(request.nodeid());
                Inode file = inodes.hold(request.in().oldnodeid())) {
            sys.linkFd(file.fd(), directory.fd(), name);
            return entries.again(file);
        }
    }

    /// OPENDIR: opens a directory for reading.
    OpenOut opendir(DirectoryRequest.Opendir request) throws ErrnoException {
        budget.requireRoom();
        try (Inode inode = inodes.hold(request.nodeid())) {
            if (inode.type() != Stat.S_IFDIR) {
                throw new ErrnoException("opendir", Errno.ENOTDIR);
            }
            Fd fd = sys.reopen(inode.fd(), hostFlags.ofDirectory(request.in().flags()));
            return new OpenOut(handles.add(new OpenDirectory(budget, fd, inode)), openFlags);
        }
    }

    /// READDIR: reads entries into guest memory.
    ///
    /// @return how many bytes; 0 at the end of the directory
    long readdir(DirectoryRequest.Readdir request) throws ErrnoException {
        try (OpenDirectory directory = handles.directory(request.in().fh(), request.nodeid())) {
            return listing.read(directory, request.in().offset(), request.into(), false);
        }
    }

    /// RELEASEDIR: gives up an open directory.
    void releasedir(DirectoryRequest.Releasedir request) throws ErrnoException {
        handles.release(request.in().fh(), request.nodeid());
    }

    /// FSYNCDIR: makes the names in an open directory durable.
    void fsyncdir(DirectoryRequest.Fsyncdir request) throws ErrnoException {
        try (OpenDirectory directory = handles.directory(request.in().fh(), request.nodeid())) {
            if (FsyncFlag.FDATASYNC.in(request.in().fsyncFlags())) {
                sys.fdatasync(directory.fd());
            } else {
                sys.fsync(directory.fd());
            }
        }
    }

    /// READDIRPLUS: the same as READDIR, and looks each entry up.
    ///
    /// @return how many bytes; 0 at the end of the directory
    long readdirplus(DirectoryRequest.Readdirplus request) throws ErrnoException {
        try (OpenDirectory directory = handles.directory(request.in().fh(), request.nodeid())) {
            return listing.read(directory, request.in().offset(), request.into(), true);
        }
    }
}
