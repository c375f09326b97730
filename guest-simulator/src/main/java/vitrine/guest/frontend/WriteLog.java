package vitrine.guest.frontend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.BitSet;
import vitrine.memory.DirtyLog;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.KernelCalls;
import vitrine.posix.Syscalls;

/// The log in which the back end notes what it writes to, from the side of who reads it: a bit for
/// each page, taken and cleared in one go.
public final class WriteLog implements AutoCloseable {

    private static final VarHandle WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private final Syscalls sys;
    private final Fd fd;
    private final MemorySegment bits;

    /// A log without a bit set.
    ///
    /// @param end where guest memory ends
    WriteLog(Syscalls sys, long end) throws ErrnoException {
        this.sys = sys;
        long pages = (end + DirtyLog.PAGE - 1) / DirtyLog.PAGE;
        long words = (pages + Long.SIZE - 1) / Long.SIZE;
        fd = sys.memfdCreate("guest-log");
        sys.ftruncate(fd, words * Long.BYTES);
        int protection = KernelCalls.PROT_READ | KernelCalls.PROT_WRITE;
        bits = sys.mmap(fd, 0, words * Long.BYTES, protection, KernelCalls.MAP_SHARED);
    }

    /// Its file.
    Fd fd() {
        return fd;
    }

    /// Bytes of it.
    long size() {
        return bits.byteSize();
    }

    /// The numbers of the pages that were written to since this was asked last. Whoever copies a
    /// page does so after it.
    public BitSet take() {
        BitSet pages = new BitSet();
        for (long at = 0; at < bits.byteSize(); at += Long.BYTES) {
            long word = (long) WORD.getAndSet(bits, at, 0L);
            for (; word != 0; word &= word - 1) {
                pages.set((int) (at * Byte.SIZE) + Long.numberOfTrailingZeros(word));
            }
        }
        return pages;
    }

    @Override
    public void close() {
        fd.close();
        try {
            sys.munmap(bits);
        } catch (ErrnoException e) {
            throw new IllegalStateException("what was mapped here cannot be unmapped: " + e.getMessage(), e);
        }
    }
}
