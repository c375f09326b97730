package vitrine.dax;

import java.lang.foreign.MemorySegment;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.KernelCalls;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.posix.Timespec;
import vitrine.wire.Buffers;

/// A copy of a piece of a file, for a file that nobody may write to: the host executes it, or it is
/// on a read-only mount, or immutable.
///
/// QEMU maps nothing that it could not write to, so it cannot have the file's own pages. The guest
/// gets to see a copy, to read only: what it asks to write to is refused with the error that the
/// host gave. Not by taking the copy out for the file's own pages, once these can be had: in
/// between, another processor of the guest would find zeros.
///
/// It is the state of the file at the last [#renew], as a page of the guest's own cache would be
/// without a window.
///
/// Safe for several threads.
final class PieceCopy implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("vitrine.dax");

    // The front end has the memory, too, and who touches what is gone dies of it. Not F_SEAL_WRITE:
    // QEMU maps for writing only.
    private static final int SEALS = Fcntl.F_SEAL_SHRINK | Fcntl.F_SEAL_GROW | Fcntl.F_SEAL_SEAL;

    private final Syscalls sys;
    private final Fd file;
    private final long fileOffset;
    private final int refusal;
    private final Fd memory;
    private final MemorySegment bytes; // of the memory
    private long used; // of the bytes, so far: what is behind them is zeros
    private Timespec ctime; // of the file as it was copied; null: it may have changed unnoticed
    private boolean isClosed;

    /// @param file open for reading; taken over
    /// @param refusal why the file's own pages cannot be had
    PieceCopy(Syscalls sys, Fd file, Piece piece, int refusal) throws ErrnoException {
        this.sys = sys;
        this.file = file;
        this.fileOffset = piece.fileOffset;
        this.refusal = refusal;
        try {
            memory = sys.memfdCreate("vitrine-copy");
        } catch (ErrnoException e) {
            file.close();
            throw e;
        }
        try {
            sys.ftruncate(memory, piece.length);
            sys.fcntl(memory, Fcntl.F_ADD_SEALS, SEALS);
            int protection = KernelCalls.PROT_READ | KernelCalls.PROT_WRITE;
            bytes = sys.mmap(memory, 0, piece.length, protection, KernelCalls.MAP_SHARED);
        } catch (ErrnoException e) {
            file.close();
            memory.close();
            throw e;
        }
        try {
            copy();
        } catch (ErrnoException e) {
            memory.close();
            close();
            throw e;
        }
    }

    /// Whether the file's own pages cannot be had because nobody may write to them.
    static boolean isReason(int errno) {
        return switch (errno) {
            case Errno.ETXTBSY, Errno.EROFS, Errno.EPERM, Errno.EACCES -> true;
            default -> false;
        };
    }

    /// What the front end is to map, from its start; the caller's.
    Fd memory() {
        return memory;
    }

    /// Why the guest may not write.
    int refusal() {
        return refusal;
    }

    /// Copies the file anew if it is not what it was.
    synchronized void renew() {
        try {
            if (!isClosed && !sys.statx(file, Stat.STATX_CTIME).ctime().equals(ctime)) {
                copy();
            }
        } catch (ErrnoException e) {
            LOG.log(System.Logger.Level.WARNING, "a file in the window cannot be read: {0}", e.getMessage());
        }
    }

    private void copy() throws ErrnoException {
        ctime = null;
        Timespec now = sys.statx(file, Stat.STATX_CTIME).ctime();
        boolean isSettled = Tick.isOver(now); // before the file is read, not after it
        long length = 0;
        long read = 1;
        while (read > 0 && length < bytes.byteSize()) {
            read = sys.preadv2(file, Buffers.of(bytes.asSlice(length)), fileOffset + length, 0);
            length += read;
            used = Math.max(used, length);
        }
        bytes.asSlice(length, used - length).fill((byte) 0);
        ctime = isSettled ? now : null;
    }

    /// The end of it for the daemon; the front end keeps what it has.
    @Override
    public synchronized void close() {
        isClosed = true;
        file.close();
        try {
            sys.munmap(bytes);
        } catch (ErrnoException e) {
            throw new IllegalStateException("what was mapped here cannot be unmapped: " + e.getMessage(), e);
        }
    }
}
