package vitrine.dax;

import java.util.Comparator;
import java.util.List;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;

/// Room on the host's disk for what the guest stores into the window.
///
/// A store that finds no room has nobody to tell: it ends QEMU with `SIGBUS`. So a piece has blocks
/// before the guest may store into it (`Piece.makeRoom`), and keeps them here, whatever the guest
/// asks to be done to its file: what would need more gets them first, or is refused.
public final class Room {

    private final Syscalls sys;
    private final Window window;

    /// @param window whose pieces keep their room
    public Room(Syscalls sys, Window window) {
        this.sys = sys;
        this.window = window;
    }

    /// Whether there are such pieces of a file.
    public boolean isKept(HostFile file) {
        return !pieces(file).isEmpty();
    }

    /// The file is about to end at `end`, or behind it, with a hole up to there.
    ///
    /// @param any a descriptor of the file, open for whatever it may be
    /// @throws ErrnoException `ENOSPC` if there is no room for the hole
    public void make(HostFile file, Fd any, long end) throws ErrnoException {
        if (!isKept(file)) {
            return;
        }
        long size = sys.statx(any, Stat.STATX_SIZE).size();
        List<Piece> growing = pieces(file).stream()
                .filter(piece -> piece.showsSomeOf(size, end))
                .toList();
        if (!growing.isEmpty()) {
            try (Fd open = sys.reopen(any, Fcntl.O_RDWR)) {
                for (Piece piece : growing) {
                    piece.allocate(end, false, open, sys);
                }
            }
        }
    }

    /// Frees a range of a file; what of it lies in the pieces that keep their room is filled with
    /// zeros.
    ///
    /// @throws ErrnoException `EINVAL` for a range that is none
    public void punch(HostFile file, Fd open, long offset, long length) throws ErrnoException {
        long end = offset + length;
        if (offset < 0 || end <= offset) {
            throw new ErrnoException("a hole of " + length + " bytes at " + offset, Errno.EINVAL);
        }
        long size = sys.lseek(open, 0, Fcntl.SEEK_END);
        long at = offset;
        List<Piece> pieces = pieces(file).stream()
                .sorted(Comparator.comparingLong(piece -> piece.fileOffset))
                .toList();
        for (Piece piece : pieces) {
            long pieceEnd = Math.min(end, piece.fileOffset + piece.length);
            free(open, at, Math.min(end, piece.fileOffset));
            zero(open, Math.max(at, piece.fileOffset), Math.min(size, pieceEnd));
            at = Math.max(at, pieceEnd);
        }
        free(open, at, end);
    }

    private List<Piece> pieces(HostFile file) {
        return window.size() == 0 ? List.of() : window.withRoom(file); // most daemons have none, and many queues
    }

    private void free(Fd open, long from, long to) throws ErrnoException {
        allocate(open, Fcntl.FALLOC_FL_PUNCH_HOLE, from, to);
    }

    private void zero(Fd open, long from, long to) throws ErrnoException {
        try {
            allocate(open, Fcntl.FALLOC_FL_ZERO_RANGE, from, to);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
            free(open, from, to); // tmpfs: not in one step
            allocate(open, 0, from, to);
        }
    }

    private void allocate(Fd open, int mode, long from, long to) throws ErrnoException {
        if (from < to) {
            sys.fallocate(open, mode | Fcntl.FALLOC_FL_KEEP_SIZE, from, to - from);
        }
    }
}
