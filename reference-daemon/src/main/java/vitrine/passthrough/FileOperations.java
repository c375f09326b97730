package vitrine.passthrough;

import vitrine.fuse.FileRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.FsyncFlag;
import vitrine.fuse.flag.OpenFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.CopyFileRangeOut;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.LseekOut;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// What the requests about the data of a file do on the host.
final class FileOperations {

    /// What the kernel reads, writes or copies at most in one call (`MAX_RW_COUNT`), blocks that it
    /// shares apart.
    private static final long MOST_AT_ONCE = 0x7ffff000;

    private final Syscalls sys;
    private final Identity identity;
    private final FileCapability capability;
    private final InodeTable inodes;
    private final HandleTable handles;
    private final Entries entries;
    private final HostFlags hostFlags;
    private final WritePath.Way writePath;
    private final boolean readOnly;
    private final int openFlags;

    FileOperations(Share share) {
        sys = share.sys();
        identity = share.identity();
        capability = share.capability();
        inodes = share.inodes();
        handles = share.handles();
        entries = share.entries();
        hostFlags = new HostFlags(share.options(), share.negotiation());
        writePath = share.options().writePath().by(sys);
        readOnly = share.options().has(Feature.READ_ONLY);
        openFlags = share.options().cache().fileFlags();
    }

    /// OPEN: opens a regular file that exists.
    OpenOut open(FileRequest.Open request) throws ErrnoException {
        OpenIn in = request.in();
        HostFlags.requireNoCreation(in.flags());
        try (Inode inode = inodes.hold(request.nodeid())) {
            HostFlags.requireRegular(inode);
            int flags = hostFlags.of(in.flags());
            if ((flags & Fcntl.O_TRUNC) != 0) {
                identity.mayKeepSetIdBits(request.header(), !in.has(OpenFlag.KILL_SUIDGID));
                capability.removeFrom(inode);
            }
            return opened(sys.reopen(inode.fd(), flags), inode.nodeid(), in.flags());
        }
    }

    /// CREATE: makes a file that belongs to the caller, and opens it.
    ///
    /// `O_EXCL` on the host even if the guest did not ask for it: whatever has the name already, a
    /// FIFO or a symbolic link to somewhere, is not opened by the way, but looked at first.
    Reply.Structs create(FileRequest.Create request) throws ErrnoException {
        Name name = Names.checked(request.name());
        try (Inode directory = inodes.hold(request.nodeid())) {
            Fd fd;
            try {
                fd = make(request, directory.fd(), name);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EEXIST || (request.in().flags() & Fcntl.O_EXCL) != 0) {
                    throw e;
                }
                return openExisting(request, directory, name);
            }
            return created(fd, directory, request.in().flags());
        }
    }

    /// Makes a file, or says as a file system does that is mounted read-only: `EEXIST` if the name
    /// is taken, `EROFS` if not.
    private Fd make(FileRequest.Create request, Fd directory, Name name) throws ErrnoException {
        CreateIn in = request.in();
        if (readOnly) {
            throw new ErrnoException("create", entries.exists(directory, name) ? Errno.EEXIST : Errno.EROFS);
        }
        int flags = hostFlags.of(in.flags()) | Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_NOFOLLOW;
        try (var _ = identity.asCaller(request.header(), request.extensions())) {
            return sys.openat(directory, name, flags, in.mode() & ~Stat.S_IFMT);
        }
    }

    /// TMPFILE: makes a file without a name that belongs to the caller, and opens it. LINK may give
    /// it a name, unless `O_EXCL` was asked for.
    Reply.Structs tmpfile(FileRequest.Tmpfile request) throws ErrnoException {
        CreateIn in = request.in();
        try (Inode directory = inodes.hold(request.nodeid())) {
            int flags = hostFlags.of(in.flags()) | Fcntl.O_TMPFILE | in.flags() & Fcntl.O_EXCL;
            Fd fd;
            try (var _ = identity.asCaller(request.header(), request.extensions())) {
                fd = sys.openat(directory.fd(), Names.SELF, flags, in.mode() & ~Stat.S_IFMT);
            }
            return created(fd, directory, in.flags());
        }
    }

    /// The descriptor leads to the new file, even if somebody has given its name to another since.
    private Reply.Structs created(Fd fd, Inode directory, int guestFlags) throws ErrnoException {
        try {
            EntryOut entry = entries.enter(sys.reopen(fd, Fcntl.O_PATH), directory.key());
            return new Reply.Structs(entry, opened(fd, entry.nodeid(), guestFlags));
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    /// Another guest was faster, or the host. This guest's kernel did not know that there is such a
    /// file, and has checked no permissions: it is opened as the caller, and the host checks.
    private Reply.Structs openExisting(FileRequest.Create request, Inode directory, Name name) throws ErrnoException {
        long nodeid = entries.find(directory.fd(), directory.key(), name).nodeid();
        try (Inode inode = inodes.hold(nodeid)) {
            HostFlags.requireRegular(inode);
            Fd fd = openAsCaller(request, inode); // may truncate: the attributes are read after it
            try {
                if ((request.in().flags() & Fcntl.O_TRUNC) != 0) {
                    capability.removeFrom(fd); // not before it is known that the caller may
                }
                return new Reply.Structs(
                        entries.again(inode), opened(fd, nodeid, request.in().flags()));
            } catch (ErrnoException e) {
                fd.close();
                throw e;
            }
        } finally {
            inodes.forget(nodeid, 1); // the lookup that only we know of
        }
    }

    private Fd openAsCaller(FileRequest.Create request, Inode inode) throws ErrnoException {
        int flags = hostFlags.of(request.in().flags());
        if (request.in().has(OpenFlag.KILL_SUIDGID) && request.header().uid() == 0) {
            identity.mayKeepSetIdBits(request.header(), false); // a root without CAP_FSETID
            return sys.reopen(inode.fd(), flags);
        }
        try (var _ = identity.asCallerCheckedByHost(request.header(), request.extensions())) {
            return sys.reopen(inode.fd(), flags);
        }
    }

    private OpenOut opened(Fd fd, long nodeid, int guestFlags) {
        boolean writable = (guestFlags & Fcntl.O_ACCMODE) != Fcntl.O_RDONLY;
        return new OpenOut(handles.add(new OpenFile(fd, nodeid, writable)), openFlags);
    }

    /// READ: puts the file's data straight into guest memory.
    ///
    /// @return how many bytes; fewer than asked for at the end of the file
    long read(FileRequest.Read request) throws ErrnoException {
        ReadIn in = request.in();
        requireOffset(in.offset());
        try (OpenFile file = handles.file(in.fh(), request.nodeid())) {
            return sys.preadv2(file.fd(), request.into(), in.offset(), 0);
        }
    }

    /// WRITE: stores the guest's data in the host file, straight out of guest memory.
    WriteOut write(FileRequest.Write request) throws ErrnoException {
        WriteIn in = request.in();
        requireOffset(in.offset());
        try (OpenFile file = handles.file(in.fh(), request.nodeid())) {
            // Another guest may have extended the file since this one looked. Only the host kernel
            // knows where the file ends, so an O_APPEND write is appended here once more. Pages
            // from the guest's cache are different: their place was settled when they were dirtied.
            boolean append = (in.flags() & Fcntl.O_APPEND) != 0 && !in.has(WriteFlag.CACHE);

            // write(2) clears the set-ID bits unless the writer has CAP_FSETID. The daemon has it,
            // the guest's process does not: without this the bits would survive, and a user could
            // turn somebody's set-user-ID program into one of their own. Linux sets the flag on
            // direct writes whatever was agreed, so it is obeyed whatever was agreed.
            identity.mayKeepSetIdBits(request.header(), !in.has(WriteFlag.KILL_SUIDGID));
            capability.removeFrom(file.fd());
            int flags = append ? Fcntl.RWF_APPEND : 0;
            return new WriteOut((int) writePath.write(file.fd(), request.data(), in.offset(), flags));
        }
    }

    /// RELEASE: gives up an open file.
    void release(FileRequest.Release request) throws ErrnoException {
        handles.release(request.in().fh(), request.nodeid());
    }

    /// FSYNC: makes the data durable, and unless `datasync` is asked for, all attributes.
    void fsync(FileRequest.Fsync request) throws ErrnoException {
        try (OpenFile file = handles.file(request.in().fh(), request.nodeid())) {
            if (FsyncFlag.FDATASYNC.in(request.in().fsyncFlags())) {
                sys.fdatasync(file.fd());
            } else {
                sys.fsync(file.fd());
            }
        }
    }

    /// FLUSH: one of the guest's descriptors of the file is closed, and this is its last chance to
    /// hear of an error.
    ///
    /// Host file systems on a network write what is pending when a descriptor is closed. So one is
    /// made and closed. If none is left, only the early news of an error is lost: the data is
    /// written at RELEASE, and close(2) in the guest must not fail for a lack of descriptors here.
    void flush(FileRequest.Flush request) throws ErrnoException {
        try (OpenFile file = handles.file(request.in().fh(), request.nodeid())) {
            Fd second;
            try {
                second = sys.dup(file.fd());
            } catch (ErrnoException e) {
                if (e.errno() == Errno.EMFILE) {
                    return;
                }
                throw e;
            }
            sys.close(second);
        }
    }

    /// FALLOCATE: reserves, frees, zeroes or moves space; the host knows which modes its file
    /// system has.
    void fallocate(FileRequest.Fallocate request) throws ErrnoException {
        FallocateIn in = request.in();
        try (OpenFile file = handles.file(in.fh(), request.nodeid())) {
            identity.mayKeepSetIdBits(); // no flag: Linux asks by an empty SETATTR before, see SetIdBits
            capability.removeFrom(file.fd());
            sys.fallocate(file.fd(), in.mode(), in.offset(), in.length());
        }
    }

    /// LSEEK: finds data or a hole. Where the guest's program stands in the file is the guest's own
    /// business, so "from here" (`SEEK_CUR`) means nothing.
    LseekOut lseek(FileRequest.Lseek request) throws ErrnoException {
        LseekIn in = request.in();
        try (OpenFile file = handles.file(in.fh(), request.nodeid())) {
            if (in.whence() == Fcntl.SEEK_CUR) {
                throw new ErrnoException("lseek with SEEK_CUR", Errno.EINVAL);
            }
            return new LseekOut(sys.lseek(file.fd(), in.offset(), in.whence()));
        }
    }

    /// COPY_FILE_RANGE: copies within the host, at most as much as the reply's 32 bits can tell.
    WriteOut copyFileRange(FileRequest.CopyFileRange request) throws ErrnoException {
        CopyFileRangeIn in = request.in();
        long length = Long.compareUnsigned(in.len(), MOST_AT_ONCE) > 0 ? MOST_AT_ONCE : in.len();
        return new WriteOut((int) copyFileRange(request.nodeid(), in, length));
    }

    /// COPY_FILE_RANGE_64: the same, for a reply of 64 bits. A host file system that shares blocks
    /// copies any length at once.
    CopyFileRangeOut copyFileRange64(FileRequest.CopyFileRange64 request) throws ErrnoException {
        CopyFileRangeIn in = request.in();
        return new CopyFileRangeOut(copyFileRange(request.nodeid(), in, in.len()));
    }

    private long copyFileRange(long nodeid, CopyFileRangeIn in, long length) throws ErrnoException {
        if (in.flags() != 0) {
            throw new ErrnoException("copy_file_range with flags", Errno.EINVAL);
        }
        try (OpenFile from = handles.file(in.fhIn(), nodeid);
                OpenFile to = handles.file(in.fhOut(), in.nodeidOut())) {
            identity.mayKeepSetIdBits(); // no flag: as with FALLOCATE
            capability.removeFrom(to.fd());
            return sys.copyFileRange(from.fd(), in.offIn(), to.fd(), in.offOut(), length);
        }
    }

    private static void requireOffset(long offset) throws ErrnoException {
        if (offset < 0) { // 2^63 and more; -1 would mean "where the descriptor stands"
            throw new ErrnoException("offset " + Long.toUnsignedString(offset), Errno.EINVAL);
        }
    }
}
