package vitrine.dax;

import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.MappingFlag;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.memory.Mapper.Change;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileSystemStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;

/// A piece of a file in the window, from the order to put it there to the order to take it away.
///
/// Guarded by the [Window] that it belongs to.
final class Piece {

    private static final long KNOWN = Flag.word(MappingFlag.READ, MappingFlag.WRITE);

    final HostFile file;
    final long fileOffset;
    final long offset; // in the window
    final long length;
    final boolean writes; // whether the guest asks to write, too

    boolean hasRoom; // on the host's disk, for all of the file that the guest sees in it
    PieceCopy copy; // what is seen in the place of the file; null: the file itself
    Change change; // the last order; null before the first
    boolean leaves; // that is, the last order takes it away

    private Piece(HostFile file, SetupMappingIn in) {
        this.file = file;
        this.fileOffset = in.foffset();
        this.offset = in.moffset();
        this.length = in.len();
        this.writes = MappingFlag.WRITE.in(in.flags());
    }

    /// What a SETUPMAPPING asks for. Whether the guest is to write makes no difference where it
    /// can: QEMU maps nothing that it could not write to, and the guest's own kernel holds its
    /// programs to it.
    ///
    /// @param page what all three numbers must be multiples of
    /// @param window the size of the window
    /// @throws ErrnoException `EINVAL` if there can be no such piece
    static Piece of(SetupMappingIn in, HostFile file, long page, long window) throws ErrnoException {
        boolean pages = ((in.foffset() | in.moffset() | in.len()) & page - 1) == 0 && in.len() > 0;
        boolean inWindow = in.moffset() >= 0 && in.len() <= window - in.moffset();
        boolean inFile = in.foffset() >= 0 && in.len() <= EndlessFiles.LENGTH - in.foffset();
        if (!pages || !inWindow || !inFile || (in.flags() & ~KNOWN) != 0) {
            throw new ErrnoException("no piece of a file in the window: " + in, Errno.EINVAL);
        }
        return new Piece(file, in);
    }

    /// Whether the front end has yet to carry out the last order.
    boolean isOnItsWay() {
        return change != null && !change.isDone();
    }

    /// Passes if the front end has put it in.
    void requireThere() throws ErrnoException {
        if (change.errno() != 0) {
            throw new ErrnoException("the front end maps no piece of this file", change.errno());
        }
    }

    /// Why it cannot be put in where another one is.
    ErrnoException isAcrossAnother() {
        return new ErrnoException("a piece across another one at " + offset, Errno.EINVAL);
    }

    /// Whether both show the same bytes at the same place.
    boolean shows(Piece other) {
        return is(other.offset, other.length) && file.equals(other.file) && fileOffset == other.fileOffset;
    }

    /// Whether a part of the file is to be seen in it.
    boolean showsSomeOf(long from, long to) {
        return Math.max(fileOffset, from) < Math.min(fileOffset + length, to);
    }

    /// Whether it is exactly this part of the window.
    boolean is(long otherOffset, long otherLength) {
        return offset == otherOffset && length == otherLength;
    }

    boolean overlaps(Piece other) {
        return offset < other.offset + other.length && other.offset < offset + length;
    }

    /// A store into a hole, when the host's disk is full, would end QEMU with `SIGBUS`; in tmpfs a
    /// load, too. So a piece gets blocks of its own before the guest may do so; if it cannot, the
    /// guest hears `ENOSPC`.
    void makeRoom(boolean toWrite, Fd file, Syscalls sys) throws ErrnoException {
        long type = sys.fstatfs(file).type();
        if (toWrite || type == FileSystemStatus.TMPFS) {
            allocate(sys.statx(file, Stat.STATX_SIZE).size(), type == FileSystemStatus.XFS, file, sys);
            hasRoom = true;
        }
    }

    /// Sees to it that it has blocks of its own, up to an end of the file that it has or is to get.
    ///
    /// @param shares whether a copy may have the same blocks, each until one of both is changed
    /// @throws ErrnoException `ENOSPC`, `EDQUOT`
    void allocate(long fileEnd, boolean shares, Fd file, Syscalls sys) throws ErrnoException {
        long end = Math.min(fileEnd, fileOffset + length);
        int mode = Fcntl.FALLOC_FL_KEEP_SIZE | (shares ? Fcntl.FALLOC_FL_UNSHARE_RANGE : 0);
        try {
            if (fileOffset < end && (shares || sys.lseek(file, fileOffset, Fcntl.SEEK_HOLE) < end)) {
                sys.fallocate(file, mode, fileOffset, end - fileOffset);
            }
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOSPC || e.errno() == Errno.EDQUOT) {
                throw e;
            } // else this file system keeps no room for anybody: nothing more can be done
        }
    }
}
