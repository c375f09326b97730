package vitrine.guest.frontend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.driver.DaxWindow;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.KernelCalls;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.message.WindowPayload;
import vitrine.wire.Buffers;

/// The device's window in the guest's memory: a reserved range of addresses that belong to nothing,
/// until the back end has a piece of a file put there.
///
/// Whatever the back end says is a claim, and is refused where QEMU 11.1 refuses it: a window that
/// does not exist, a piece of nothing, outside the window or across another one, behind the end of
/// its file, of a file that cannot be written. Where QEMU is careless so that its guest may suffer,
/// it is refused here as well: offsets within a page, flags that nobody knows, an empty file, which
/// QEMU would make longer.
///
/// Files can be shortened while they are mapped, and who touches what is gone dies of it. So nobody
/// in this process does: each load and store is a system call, which has an error for that.
public final class WindowMemory implements DaxWindow, AutoCloseable {

    /// Where the guest has the window: above all its memory.
    public static final long ADDRESS = 1L << 40;

    private static final long MOST = 1L << 36;
    private static final long KNOWN_FLAGS = WindowPayload.Piece.WRITABLE;

    private final Syscalls sys;
    private final MemorySegment reserved;
    private final Fd copies; // what is being loaded or stored passes through this file
    private final TreeMap<Long, Mapped> pieces = new TreeMap<>(); // by offset

    /// A piece as the device is told of it.
    ///
    /// @param region where it lies in the guest's memory
    /// @param file whose bytes are seen there; closed when it is unmapped
    public record Mapped(Region region, Fd file) {}

    private WindowMemory(Syscalls sys, MemorySegment reserved, Fd copies) {
        this.sys = sys;
        this.reserved = reserved;
        this.copies = copies;
    }

    /// Reserves addresses for a window of the size that the back end has answered.
    ///
    /// @throws FrontendException if a window cannot be of that size
    /// @throws ErrnoException if the host has no addresses or descriptors left
    public static WindowMemory reserve(Syscalls sys, long size) throws FrontendException, ErrnoException {
        if (size < sys.pageSize() || size > MOST || Long.bitCount(size) != 1) {
            throw new FrontendException("a window of " + Long.toUnsignedString(size) + " bytes: a power of two from "
                    + sys.pageSize() + " to " + MOST + " was to be expected");
        }
        Fd copies = sys.memfdCreate("window-copies");
        try {
            int flags = KernelCalls.MAP_PRIVATE | KernelCalls.MAP_ANONYMOUS | KernelCalls.MAP_NORESERVE;
            return new WindowMemory(sys, sys.mmap(copies, 0, size, KernelCalls.PROT_NONE, flags), copies);
        } catch (ErrnoException e) {
            copies.close();
            throw e;
        }
    }

    @Override
    public long size() {
        return reserved.byteSize();
    }

    /// SHMEM_MAP: makes a piece of a file appear where nothing is yet.
    ///
    /// @param file taken over
    /// @throws ErrnoException with the reason if it is refused; `EBADF` for a file that is open
    ///     with `O_PATH`, after which QEMU does not listen any more
    public synchronized Mapped map(WindowPayload.Piece piece, Fd file) throws ErrnoException {
        try {
            requirePlace(piece);
            requireWithinFile(piece, file);
            int protection = KernelCalls.PROT_READ | KernelCalls.PROT_WRITE;
            sys.mmapOver(part(piece), file, piece.fileOffset(), protection);
        } catch (ErrnoException e) {
            file.close();
            throw e;
        }
        long address = ADDRESS + piece.offset();
        Mapped mapped =
                new Mapped(new Region(address, piece.length(), part(piece).address(), piece.fileOffset()), file);
        pieces.put(piece.offset(), mapped);
        return mapped;
    }

    /// SHMEM_UNMAP: empties the place of one piece.
    ///
    /// @throws ErrnoException with the reason if it is not exactly one
    public synchronized Mapped unmap(WindowPayload.Piece piece) throws ErrnoException {
        Mapped mapped = pieces.get(piece.offset());
        if (piece.window() != 0 || mapped == null || mapped.region().size() != piece.length()) {
            throw refused("no piece that is there", piece);
        }
        sys.mmapNothingOver(part(piece));
        pieces.remove(piece.offset());
        mapped.file().close();
        return mapped;
    }

    /// Takes everything out of the window.
    ///
    /// @return what was there
    public synchronized List<Mapped> empty() {
        List<Mapped> gone = List.copyOf(pieces.values());
        pieces.clear();
        try {
            sys.mmapNothingOver(reserved);
        } catch (ErrnoException e) {
            throw new IllegalStateException("what was mapped here cannot be unmapped: " + e.getMessage(), e);
        }
        gone.forEach(mapped -> mapped.file().close());
        return gone;
    }

    /// How many pieces are in the window.
    public synchronized int pieces() {
        return pieces.size();
    }

    /// The same, each as its offset in the window and its length.
    public synchronized Map<Long, Long> lengths() {
        Map<Long, Long> lengths = new TreeMap<>();
        pieces.forEach((offset, mapped) -> lengths.put(offset, mapped.region().size()));
        return lengths;
    }

    @Override
    public synchronized byte[] load(long offset, int length) throws BusErrorException {
        requireMapped(offset, length);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(1, length)).asSlice(0, length);
            require(sys.pwritev2(copies, Buffers.of(reserved.asSlice(offset, length)), 0, 0) == length);
            require(sys.preadv2(copies, Buffers.of(copy), 0, 0) == length);
            return copy.toArray(ValueLayout.JAVA_BYTE);
        } catch (ErrnoException e) {
            throw gone(offset, length, e.getMessage());
        }
    }

    @Override
    public synchronized void store(long offset, byte[] bytes) throws BusErrorException {
        requireMapped(offset, bytes.length);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
            copy.copyFrom(MemorySegment.ofArray(bytes));
            require(sys.pwritev2(copies, Buffers.of(copy), 0, 0) == bytes.length);
            require(sys.preadv2(copies, Buffers.of(reserved.asSlice(offset, bytes.length)), 0, 0) == bytes.length);
        } catch (ErrnoException e) {
            throw gone(offset, bytes.length, e.getMessage());
        }
    }

    /// Gives the addresses back. Nobody may use the window any more.
    @Override
    public synchronized void close() {
        pieces.values().forEach(mapped -> mapped.file().close());
        pieces.clear();
        copies.close();
        try {
            sys.munmap(reserved);
        } catch (ErrnoException e) {
            throw new IllegalStateException("what was reserved here cannot be given back: " + e.getMessage(), e);
        }
    }

    private void requirePlace(WindowPayload.Piece piece) throws ErrnoException {
        long within = piece.fileOffset() | piece.offset() | piece.length();
        if (piece.window() != 0
                || (piece.flags() & ~KNOWN_FLAGS) != 0
                || (within & sys.pageSize() - 1) != 0
                || piece.length() <= 0
                || piece.offset() < 0
                || piece.length() > size() - piece.offset()) {
            throw refused("no piece of the window", piece);
        }
        Map.Entry<Long, Mapped> before = pieces.lowerEntry(piece.offset() + piece.length());
        if (before != null && before.getKey() + before.getValue().region().size() > piece.offset()) {
            throw refused("across a piece that is there", piece);
        }
    }

    private void requireWithinFile(WindowPayload.Piece piece, Fd file) throws ErrnoException {
        if ((sys.fcntl(file, Fcntl.F_GETFL, 0) & Fcntl.O_PATH) != 0) {
            throw new ErrnoException("a file that is not open", Errno.EBADF);
        }
        if (!Stat.isRegular(sys.statx(file, Stat.STATX_TYPE).mode())) {
            throw refused("no file", piece);
        }
        long end = sys.lseek(file, 0, Fcntl.SEEK_END);
        if (piece.fileOffset() < 0 || piece.length() > end - piece.fileOffset()) {
            throw refused("behind the end of a file of " + end + " bytes", piece);
        }
    }

    private void requireMapped(long offset, int length) throws BusErrorException {
        long at = offset;
        while (at < offset + length) {
            Map.Entry<Long, Mapped> piece = pieces.floorEntry(at);
            long end = piece == null
                    ? 0
                    : piece.getKey() + piece.getValue().region().size();
            if (end <= at) {
                throw gone(offset, length, "nothing is mapped at " + at);
            }
            at = end;
        }
    }

    private MemorySegment part(WindowPayload.Piece piece) {
        return reserved.asSlice(piece.offset(), piece.length());
    }

    private static void require(boolean wholly) throws ErrnoException {
        if (!wholly) {
            throw new ErrnoException("a part of it", Errno.EFAULT);
        }
    }

    private static ErrnoException refused(String why, WindowPayload.Piece piece) {
        return new ErrnoException(why + ": " + piece, Errno.EINVAL);
    }

    private static BusErrorException gone(long offset, int length, String why) {
        return new BusErrorException(length + " bytes at " + offset + " of the window: " + why);
    }
}
