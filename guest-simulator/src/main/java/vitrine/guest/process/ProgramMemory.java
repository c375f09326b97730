package vitrine.guest.process;

import java.util.HashMap;
import java.util.Map;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.kernel.FileMapping;
import vitrine.guest.kernel.GuestKernel;
import vitrine.guest.kernel.Task;
import vitrine.posix.ErrnoException;

/// Memory in which a program sees a file, until it is closed, which is munmap(2).
///
/// Loads and stores are no system calls; the kernel hears of a page the first time that it is
/// touched. In private memory the first store to a page makes a copy of it, which is the program's
/// own from then on.
public final class ProgramMemory implements AutoCloseable {

    private static final int PAGE = 4096;

    private final GuestKernel kernel;
    private final Task task;
    private final FileMapping mapping;
    private final Map<Long, byte[]> own = new HashMap<>(); // pages of private memory, by where they begin

    ProgramMemory(GuestKernel kernel, Task task, FileMapping mapping) {
        this.kernel = kernel;
        this.task = task;
        this.mapping = mapping;
    }

    /// Reads memory.
    ///
    /// @throws BusErrorException if a page of it lies behind the end of the file
    public byte[] load(long at, int count) throws BusErrorException {
        if (own.isEmpty()) {
            return kernel.load(task, mapping, at, count);
        }
        byte[] bytes = new byte[count];
        eachPage(at, count, (page, from, done, size) -> {
            byte[] source = own.get(page);
            if (source == null) {
                System.arraycopy(kernel.load(task, mapping, page + from, size), 0, bytes, done, size);
            } else {
                System.arraycopy(source, from, bytes, done, size);
            }
        });
        return bytes;
    }

    /// Writes memory.
    ///
    /// @throws BusErrorException if a page of it lies behind the end of the file
    public void store(long at, byte[] bytes) throws BusErrorException {
        if (mapping.use() != FileMapping.Use.KEEP) {
            kernel.store(task, mapping, at, bytes);
            return;
        }
        eachPage(at, bytes.length, (page, from, done, size) -> {
            if (!own.containsKey(page)) {
                own.put(page, kernel.load(task, mapping, page, (int) Math.min(PAGE, mapping.length() - page)));
            }
            System.arraycopy(bytes, done, own.get(page), from, size);
        });
    }

    private interface Piece {
        void at(long page, int from, int done, int size) throws BusErrorException;
    }

    private static void eachPage(long at, int count, Piece piece) throws BusErrorException {
        for (int done = 0; done < count; ) {
            int from = (int) ((at + done) % PAGE);
            int size = Math.min(PAGE - from, count - done);
            piece.at(at + done - from, from, done, size);
            done += size;
        }
    }

    /// msync(2), `MS_SYNC`. Of private memory there is nothing to sync.
    public void msync() throws ErrnoException {
        if (mapping.use() != FileMapping.Use.KEEP) {
            kernel.msync(task, mapping);
        }
    }

    @Override
    public void close() throws ErrnoException {
        kernel.munmap(task, mapping);
    }
}
