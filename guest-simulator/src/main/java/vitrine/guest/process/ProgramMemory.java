package vitrine.guest.process;

import vitrine.guest.driver.BusErrorException;
import vitrine.guest.kernel.FileMapping;
import vitrine.guest.kernel.GuestKernel;
import vitrine.guest.kernel.Task;
import vitrine.posix.ErrnoException;

/// Memory in which a program sees a file, until it is closed, which is munmap(2).
///
/// Loads and stores are no system calls; the kernel hears of a page the first time that it is
/// touched.
public final class ProgramMemory implements AutoCloseable {

    private final GuestKernel kernel;
    private final Task task;
    private final FileMapping mapping;

    ProgramMemory(GuestKernel kernel, Task task, FileMapping mapping) {
        this.kernel = kernel;
        this.task = task;
        this.mapping = mapping;
    }

    /// Reads memory.
    ///
    /// @throws BusErrorException if a page of it lies behind the end of the file
    public byte[] load(long at, int count) throws BusErrorException {
        return kernel.load(task, mapping, at, count);
    }

    /// Writes memory.
    ///
    /// @throws BusErrorException if a page of it lies behind the end of the file
    public void store(long at, byte[] bytes) throws BusErrorException {
        kernel.store(task, mapping, at, bytes);
    }

    /// msync(2), `MS_SYNC`.
    public void msync() throws ErrnoException {
        kernel.msync(task, mapping);
    }

    @Override
    public void close() throws ErrnoException {
        kernel.munmap(task, mapping);
    }
}
