package vitrine.conformance.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.memory.GuestMemory;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;

/// Guest memory that is a file of the share, whose end anybody may move.
class ShrinkingRegionTest {

    private static final int PAGE = SYS.pageSize();
    private static final Region WINDOW = new Region(1L << 32, 4L * PAGE, 1L << 40, 0);

    private final GuestMemory memory = new GuestMemory(SYS, (_, region) -> region.equals(WINDOW));
    private Fd file;
    private Fd other;

    @BeforeEach
    void map() throws ErrnoException {
        file = SYS.memfdCreate("shared");
        SYS.ftruncate(file, 4L * PAGE);
        other = SYS.memfdCreate("other");
        memory.add(WINDOW, file);
    }

    @AfterEach
    void close() {
        memory.close();
        file.close();
        other.close();
    }

    private Buffers page(int number) throws Exception {
        return Buffers.of(memory.guest(WINDOW.guestAddress() + (long) number * PAGE, PAGE));
    }

    /// Seen to catch: MappedRegion.forTheKernel made as `of`: the whole test run dies of SIGBUS or
    /// an InternalError.
    @Test
    void nothingThatJavaDoesThereReachesTheFile() throws Exception {
        MemorySegment bytes = memory.guest(WINDOW.guestAddress(), 4L * PAGE);
        SYS.ftruncate(file, PAGE);

        assertFalse(bytes.scope().isAlive());
        assertThrows(IllegalStateException.class, () -> bytes.get(JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, () -> bytes.get(JAVA_LONG_UNALIGNED, 3L * PAGE));
        assertThrows(IllegalStateException.class, () -> bytes.set(JAVA_BYTE, 3L * PAGE, (byte) 1));
        assertThrows(IllegalStateException.class, () -> page(1).toBytes());
    }

    /// The kernel reads and writes there, and says so where the file has ended.
    @Test
    void theKernelReachesTheFileUpToItsEnd() throws Exception {
        MemorySegment text = Arena.ofAuto().allocateFrom("a page of the file");
        SYS.pwritev2(other, Buffers.of(text), 0, 0);

        assertEquals(text.byteSize(), SYS.preadv2(other, page(1), 0, 0)); // into the window
        MemorySegment seen = Arena.ofAuto().allocate(text.byteSize());
        SYS.preadv2(file, Buffers.of(seen), PAGE, 0);
        assertEquals("a page of the file", seen.getString(0));

        SYS.ftruncate(file, 2L * PAGE);
        assertEquals(PAGE, SYS.pwritev2(other, page(1), 0, 0)); // out of the window
        assertEquals(
                Errno.EFAULT,
                assertThrows(ErrnoException.class, () -> SYS.pwritev2(other, page(2), 0, 0))
                        .errno());
    }

    /// A file that is shorter than its region already is no reason to refuse it.
    @Test
    void aRegionMayReachBehindTheEndOfItsFile() throws Exception {
        memory.remove(WINDOW);
        SYS.ftruncate(file, PAGE);

        memory.add(WINDOW, file);

        assertEquals(1, memory.regions().size());
        Region ram = new Region(1L << 33, 4L * PAGE, 1L << 41, 0);
        assertEquals(
                Errno.EINVAL,
                assertThrows(ErrnoException.class, () -> memory.add(ram, file)).errno());
    }

    /// Seen to catch: forTheKernel without munmap.
    @Test
    void aRegionThatIsGoneIsUnmapped() throws Exception {
        assertEquals(1, mapped());

        memory.remove(WINDOW);

        assertEquals(0, mapped());
    }

    private static long mapped() throws Exception {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:shared")).count();
        }
    }
}
