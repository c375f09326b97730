package vitrine.passthrough;

import vitrine.fuse.FileRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.OpenFlag;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.passthrough.held.DescriptorBudget;
import vitrine.passthrough.held.HandleTable;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.passthrough.held.OpenFile;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// What the requests that open files do on the host.
final class OpenOperations {

    /// Whose name comes and goes that often has somebody on the host who does nothing else.
    private static final int MOST_TRIES = 100;

    private final Syscalls sys;
    private final Identity identity;
    private final Creation creation;
    private final FileCapability capability;
    private final DescriptorBudget budget;
    private final InodeTable inodes;
    private final HandleTable handles;
    private final Entries entries;
    private final HostFlags hostFlags;
    private final boolean readOnly;
    private final int openFlags;

    OpenOperations(Share share) {
        sys = share.sys();
        identity = share.identity();
        creation = share.creation();
        capability = share.capability();
        budget = share.budget();
        inodes = share.inodes();
        handles = share.handles();
        entries = share.entries();
        hostFlags = new HostFlags(share.options(), share.negotiation());
        readOnly = share.options().has(Feature.READ_ONLY);
        openFlags = share.options().cache().fileFlags();
    }

    /// OPEN: opens a regular file that exists.
    OpenOut open(FileRequest.Open request) throws ErrnoException {
        OpenIn in = request.in();
        HostFlags.requireNoCreation(in.flags());
        budget.requireRoom();
        try (Inode inode = inodes.hold(request.nodeid())) {
            HostFlags.requireRegular(inode);
            int flags = hostFlags.of(in.flags());
            if ((flags & Fcntl.O_TRUNC) != 0) {
                identity.mayKeepSetIdBits(request.header(), !in.has(OpenFlag.KILL_SUIDGID));
                capability.removeBeforeTruncating(inode);
            }
            return opened(sys.reopen(inode.fd(), flags), inode, in.flags());
        }
    }

    /// CREATE: makes a file that belongs to the caller, and opens it.
    ///
    /// `O_EXCL` on the host even if the guest did not ask for it: whatever has the name already, a
    /// FIFO or a symbolic link to somewhere, is not opened by the way, but looked at first. If the
    /// host has removed it by then, there is no such name again, and the file is made after all:
    /// open(2) with `O_CREAT` never says `ENOENT` for that.
    Reply.Structs create(FileRequest.Create request) throws ErrnoException {
        Name name = Names.checked(request.name());
        budget.requireRoom(); // before anything is made
        try (Inode directory = inodes.hold(request.nodeid())) {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                Reply.Structs reply = makeOrOpen(request, directory, name);
                if (reply != null) {
                    return reply;
                }
            }
            throw new ErrnoException("create", Errno.ESTALE); // the guest's kernel begins once more
        }
    }

    /// @return null if the name was there when the file was to be made, and was not when it was to
    ///     be opened
    private Reply.Structs makeOrOpen(FileRequest.Create request, Inode directory, Name name) throws ErrnoException {
        long newest = inodes.nodeids().last();
        Fd fd;
        try {
            fd = make(request, directory.fd(), name);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST || (request.in().flags() & Fcntl.O_EXCL) != 0) {
                throw e;
            }
            return openExisting(request, directory, name);
        }
        return created(fd, directory, request.in().flags(), newest);
    }

    /// Makes a file, or says as a file system does that is mounted read-only: `EEXIST` if the name
    /// is taken, `EROFS` if not.
    private Fd make(FileRequest.Create request, Fd directory, Name name) throws ErrnoException {
        CreateIn in = request.in();
        if (readOnly) {
            throw new ErrnoException("create", entries.exists(directory, name) ? Errno.EEXIST : Errno.EROFS);
        }
        int flags = hostFlags.of(in.flags()) | Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_NOFOLLOW;
        return creation.open(
                new Creation.Maker(request.header(), request.extensions(), in.umask()),
                new Creation.Place(directory, name, 0),
                () -> sys.openat(directory, name, flags, in.mode() & ~Stat.S_IFMT));
    }

    /// TMPFILE: makes a file without a name that belongs to the caller, and opens it. LINK may give
    /// it a name, unless `O_EXCL` was asked for.
    Reply.Structs tmpfile(FileRequest.Tmpfile request) throws ErrnoException {
        CreateIn in = request.in();
        budget.requireRoom();
        long newest = inodes.nodeids().last();
        try (Inode directory = inodes.hold(request.nodeid())) {
            int flags = hostFlags.of(in.flags()) | Fcntl.O_TMPFILE | in.flags() & Fcntl.O_EXCL;
            Fd fd = creation.openNameless(
                    new Creation.Maker(request.header(), request.extensions(), in.umask()),
                    () -> sys.openat(directory.fd(), Names.SELF, flags, in.mode() & ~Stat.S_IFMT));
            return created(fd, directory, in.flags(), newest);
        }
    }

    /// The descriptor leads to the new file, even if somebody has given its name to another since.
    private Reply.Structs created(Fd fd, Inode directory, int guestFlags, long newest) throws ErrnoException {
        try {
            Fd pathFd = sys.reopen(fd, Fcntl.O_PATH);
            try (Entries.Entered made = entries.enterMade(pathFd, directory.key(), newest)) {
                return new Reply.Structs(made.entry(), opened(fd, made.inode(), guestFlags));
            }
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    /// Another guest was faster, or the host: finds the file, and opens it.
    ///
    /// @return null if it is gone by now
    private Reply.Structs openExisting(FileRequest.Create request, Inode directory, Name name) throws ErrnoException {
        EntryOut found = unlessGone(() -> entries.find(directory.fd(), directory.key(), name));
        if (found == null) {
            return null;
        }
        try (Inode inode = unlessGone(() -> inodes.hold(found.nodeid()))) {
            return inode == null ? null : openExisting(request, inode);
        } finally {
            inodes.forget(found.nodeid(), 1); // the lookup that only we know of
        }
    }

    private interface Call<T> {
        T make() throws ErrnoException;
    }

    private static <T> T unlessGone(Call<T> call) throws ErrnoException {
        try {
            return call.make();
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ESTALE) {
                return null;
            }
            throw e;
        }
    }

    /// This guest's kernel did not know that there is such a file, and has checked no permissions:
    /// it is opened as the caller, and the host checks.
    private Reply.Structs openExisting(FileRequest.Create request, Inode inode) throws ErrnoException {
        requireOpenableHere(inode);
        Fd fd = openAsCaller(request, inode); // may truncate: the attributes are read after it
        try {
            if ((request.in().flags() & Fcntl.O_TRUNC) != 0) {
                capability.removeFrom(fd); // not before it is known that the caller may
            }
            return new Reply.Structs(
                    entries.again(inode), opened(fd, inode, request.in().flags()));
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    /// A symbolic link, a FIFO or a device is the guest's own to follow or to open. Told `ESTALE`,
    /// its kernel looks the name up anew, and finds what it is (fs/namei.c: LOOKUP_REVAL).
    private static void requireOpenableHere(Inode inode) throws ErrnoException {
        if (inode.type() != Stat.S_IFREG && inode.type() != Stat.S_IFDIR) {
            throw new ErrnoException("create", Errno.ESTALE);
        }
        HostFlags.requireRegular(inode);
    }

    private Fd openAsCaller(FileRequest.Create request, Inode inode) throws ErrnoException {
        int flags = hostFlags.of(request.in().flags());
        if (request.in().has(OpenFlag.KILL_SUIDGID) && request.header().uid() == 0) {
            identity.mayKeepSetIdBits(request.header(), false); // a root without CAP_FSETID
            return sys.reopen(inode.fd(), flags);
        }
        try (var _ = identity.asCaller(request.header(), request.extensions())) {
            return sys.reopen(inode.fd(), flags);
        }
    }

    private OpenOut opened(Fd fd, Inode inode, int guestFlags) {
        boolean writable = (guestFlags & Fcntl.O_ACCMODE) != Fcntl.O_RDONLY;
        return new OpenOut(handles.add(new OpenFile(budget, fd, inode, writable)), openFlags);
    }
}
