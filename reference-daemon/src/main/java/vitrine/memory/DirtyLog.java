package vitrine.memory;

import static vitrine.posix.KernelCalls.MAP_NORESERVE;
import static vitrine.posix.KernelCalls.MAP_SHARED;
import static vitrine.posix.KernelCalls.PROT_READ;
import static vitrine.posix.KernelCalls.PROT_WRITE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;

/// Which pages of the guest's memory the device has written to: a bit for each, in memory that the
/// front end reads and clears meanwhile (vhost-user: "Migration").
///
/// ```
/// bit n of the log  =  guest addresses n · 4096 to n · 4096 + 4095, whatever the regions are
/// ```
///
/// The front end clears a bit and then copies the page. So the page is written first and its bit is
/// set afterwards, by an atomic instruction that is a full fence too: whoever clears the bit before
/// it will find it again, and whoever clears it after it copies what was written. For the same
/// reason nobody looks whether the bit is set already: that load could be done before the store to
/// the page has become visible.
public final class DirtyLog implements AutoCloseable {

    /// Bytes of guest memory for each bit (vhost-user: `VHOST_LOG_PAGE`).
    public static final int PAGE = 4096;

    // Java has an atomic or for 32 bits and more. Little-endian: bit n is bit n%8 of byte n/8.
    private static final VarHandle WORD =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private static final int WORD_BITS = Integer.SIZE;

    private final Syscalls sys;
    private final MemorySegment mapping; // whole pages
    private final long firstBit; // of the log, in the mapping
    private final long pages;
    private final EventFd told;

    private DirtyLog(Syscalls sys, MemorySegment mapping, long slack, long size, EventFd told) {
        this.sys = sys;
        this.mapping = mapping;
        this.firstBit = slack * Byte.SIZE;
        this.pages = size * Byte.SIZE;
        this.told = told;
    }

    /// Maps a log that the front end has made.
    ///
    /// @param fd its file, not needed afterwards
    /// @param offset where the log begins in it
    /// @param size bytes of the log
    /// @param told signalled whenever something was logged
    /// @throws ErrnoException `EINVAL` with the reason if it does not lie in its file
    public static DirtyLog map(Syscalls sys, Fd fd, long offset, long size, EventFd told) throws ErrnoException {
        FileStatus file = sys.statx(fd, Stat.STATX_TYPE | Stat.STATX_SIZE);
        if (size <= 0 || offset < 0 || offset > file.size() || size > file.size() - offset) {
            String claim = "a log of %s bytes from %s on".formatted(unsigned(size), unsigned(offset));
            throw new ErrnoException(claim + " in a file of " + file.size(), Errno.EINVAL);
        }
        long slack = offset % sys.pageSize(); // mmap takes whole pages only
        long length = (slack + size + sys.pageSize() - 1) & -sys.pageSize();
        MemorySegment mapping =
                sys.mmap(fd, offset - slack, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE);
        return new DirtyLog(sys, mapping, slack, size, told);
    }

    private static String unsigned(long claim) {
        return Long.toUnsignedString(claim);
    }

    /// Whether there is a bit for each page of a region.
    boolean covers(GuestMemory.Region region) {
        long last = region.guestAddress() + region.size() - 1;
        return Long.compareUnsigned(Long.divideUnsigned(last, PAGE), pages) < 0;
    }

    /// Notes that so many bytes have been written to; they lie in a region that is covered.
    void mark(long guestAddress, long length) {
        long last = Long.divideUnsigned(guestAddress + length - 1, PAGE);
        long page = Long.divideUnsigned(guestAddress, PAGE);
        while (page <= last) {
            long bit = firstBit + page;
            int from = (int) (bit % WORD_BITS);
            int count = (int) Math.min(WORD_BITS - from, last - page + 1);
            int mask = -1 >>> WORD_BITS - count << from;
            int _ = (int) WORD.getAndBitwiseOr(mapping, bit / WORD_BITS * Integer.BYTES, mask);
            page += count;
        }
        told.signal();
    }

    /// Unmaps it. Nobody marks any more.
    @Override
    public void close() {
        try {
            sys.munmap(mapping);
        } catch (ErrnoException e) {
            throw new IllegalStateException("what was mapped cannot be unmapped", e);
        }
    }
}
