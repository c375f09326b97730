package vitrine.conformance.dax;

import static vitrine.conformance.posix.HostKernel.SYS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import vitrine.guest.driver.BusErrorException;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.KernelCalls;
import vitrine.posix.Stat;
import vitrine.wire.Buffers;

/// A shared mapping on the host, by mmap(2): what a program sees of a file without any guest. Loads
/// and stores are system calls, which do not die of what is not there.
final class HostMapping implements AutoCloseable {

    private final Fd file;
    private final MemorySegment mapped;
    private final Fd copies;

    /// @param file open for reading and writing; taken over
    HostMapping(Fd file, long length) throws ErrnoException {
        this.file = file;
        int protection = KernelCalls.PROT_READ | KernelCalls.PROT_WRITE;
        mapped = SYS.mmap(file, 0, length, protection, KernelCalls.MAP_SHARED);
        copies = SYS.memfdCreate("copies");
    }

    /// How long the file is.
    long size() throws ErrnoException {
        return SYS.statx(file, Stat.STATX_SIZE).size();
    }

    byte[] load(long offset, int length) throws BusErrorException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(length);
            require(SYS.pwritev2(copies, Buffers.of(mapped.asSlice(offset, length)), 0, 0) == length);
            require(SYS.preadv2(copies, Buffers.of(copy), 0, 0) == length);
            return copy.toArray(ValueLayout.JAVA_BYTE);
        } catch (ErrnoException e) {
            throw new BusErrorException(e.getMessage());
        }
    }

    void store(long offset, byte[] bytes) throws BusErrorException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
            copy.copyFrom(MemorySegment.ofArray(bytes));
            require(SYS.pwritev2(copies, Buffers.of(copy), 0, 0) == bytes.length);
            require(SYS.preadv2(copies, Buffers.of(mapped.asSlice(offset, bytes.length)), 0, 0) == bytes.length);
        } catch (ErrnoException e) {
            throw new BusErrorException(e.getMessage());
        }
    }

    private static void require(boolean wholly) throws BusErrorException {
        if (!wholly) {
            throw new BusErrorException("a part of it");
        }
    }

    @Override
    public void close() throws ErrnoException {
        copies.close();
        file.close();
        SYS.munmap(mapped);
    }
}
