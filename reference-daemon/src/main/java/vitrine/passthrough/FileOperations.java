package vitrine.passthrough;

import java.util.Set;
import vitrine.dax.Room;
import vitrine.fuse.FileRequest;
import vitrine.fuse.flag.FsyncFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.CopyFileRangeOut;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.LseekOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.passthrough.held.HandleTable;
import vitrine.passthrough.held.OpenFile;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;

/// What the requests about the data of an open file do on the host.
final class FileOperations {

    /// What the kernel reads, writes or copies at most in one call (`MAX_RW_COUNT`), blocks that it
    /// shares apart.
    private static final long MOST_AT_ONCE = 0x7ffff000;

    /// Whatever else a newer host has is refused: nobody here knows what it does to a file.
    private static final Set<Integer> FALLOCATE_MODES = Set.of(
            0,
            Fcntl.FALLOC_FL_KEEP_SIZE,
            Fcntl.FALLOC_FL_KEEP_SIZE | Fcntl.FALLOC_FL_PUNCH_HOLE,
            Fcntl.FALLOC_FL_COLLAPSE_RANGE,
            Fcntl.FALLOC_FL_ZERO_RANGE,
            Fcntl.FALLOC_FL_KEEP_SIZE | Fcntl.FALLOC_FL_ZERO_RANGE,
            Fcntl.FALLOC_FL_INSERT_RANGE,
            Fcntl.FALLOC_FL_UNSHARE_RANGE,
            Fcntl.FALLOC_FL_KEEP_SIZE | Fcntl.FALLOC_FL_UNSHARE_RANGE);

    private static final int PUNCH = Fcntl.FALLOC_FL_PUNCH_HOLE | Fcntl.FALLOC_FL_KEEP_SIZE;

    private final Syscalls sys;
    private final Identity identity;
    private final FileCapability capability;
    private final HandleTable handles;
    private final Room room;
    private final Negotiation negotiation;
    private final WritePath.Way writePath;

    FileOperations(Share share) {
        sys = share.sys();
        identity = share.identity();
        capability = share.capability();
        handles = share.handles();
        room = share.room();
        negotiation = share.negotiation();
        writePath = share.options().writePath().by(sys);
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
            // And with write-back the guest's kernel alone knows the end: what is before it may
            // still be in its cache, also when a program writes past that (O_DIRECT).
            boolean append = (in.flags() & Fcntl.O_APPEND) != 0
                    && !in.has(WriteFlag.CACHE)
                    && !negotiation.has(InitFlag.WRITEBACK_CACHE);

            // write(2) clears the set-ID bits unless the writer has CAP_FSETID. The daemon has it,
            // the guest's process does not: without this the bits would survive, and a user could
            // turn somebody's set-user-ID program into one of their own. Linux sets the flag on
            // direct writes whatever was agreed, so it is obeyed whatever was agreed.
            identity.mayKeepSetIdBits(request.header(), !in.has(WriteFlag.KILL_SUIDGID));
            if (request.data().size() > 0) {
                capability.removeFrom(file);
            }
            if (!append) {
                room.make(file.hostFile(), file.fd(), in.offset());
            }
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
        requireOffset(in.offset());
        if (in.length() <= 0) {
            throw new ErrnoException("fallocate of " + Long.toUnsignedString(in.length()) + " bytes", Errno.EINVAL);
        }
        if (!FALLOCATE_MODES.contains(in.mode())) {
            throw new ErrnoException("fallocate with mode 0x" + Integer.toHexString(in.mode()), Errno.EOPNOTSUPP);
        }
        try (OpenFile file = handles.file(in.fh(), request.nodeid())) {
            identity.mayKeepSetIdBits(); // no flag: Linux asks by an empty SETATTR before, see SetIdBits
            capability.removeFrom(file);
            if ((in.mode() & Fcntl.FALLOC_FL_KEEP_SIZE) == 0) {
                room.make(file.hostFile(), file.fd(), in.offset());
            }
            if (in.mode() == PUNCH && room.isKept(file.hostFile())) {
                room.punch(file.hostFile(), file.fd(), in.offset(), in.length());
            } else {
                sys.fallocate(file.fd(), in.mode(), in.offset(), in.length());
            }
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
            if (room.isKept(from.hostFile()) || room.isKept(to.hostFile())) {
                // They might share blocks then. The guest's kernel takes this for "read and write".
                throw new ErrnoException("copy_file_range through the DAX window", Errno.EXDEV);
            }
            identity.mayKeepSetIdBits(); // no flag: as with FALLOCATE
            if (length != 0) {
                capability.removeFrom(to);
            }
            return sys.copyFileRange(from.fd(), in.offIn(), to.fd(), in.offOut(), length);
        }
    }

    private static void requireOffset(long offset) throws ErrnoException {
        if (offset < 0) { // 2^63 and more; -1 would mean "where the descriptor stands"
            throw new ErrnoException("offset " + Long.toUnsignedString(offset), Errno.EINVAL);
        }
    }
}
