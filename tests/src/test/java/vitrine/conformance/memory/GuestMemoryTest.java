package vitrine.conformance.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.memory.GuestMemory;
import vitrine.memory.GuestMemory.Region;
import vitrine.memory.NotGuestMemoryException;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;

/// Regions come and go, and nobody ever touches what is not there.
@Timeout(60)
class GuestMemoryTest {

    private static final long USER = 0x7f00_0000_0000L;
    private static final int PAGE = SYS.pageSize();

    private final GuestMemory memory = new GuestMemory(SYS);
    private Fd file;

    @BeforeEach
    void makeFile() throws Exception {
        file = SYS.memfdCreate("guest");
        SYS.ftruncate(file, 16L * PAGE);
    }

    @AfterEach
    void close() {
        memory.close();
        file.close();
    }

    /// The same bytes by both kinds of address, and in the file; the region's offset need not be a
    /// multiple of a page.
    ///
    /// Caught: the slack before an unaligned offset forgotten; `user` that searches by guest
    /// address.
    @ParameterizedTest
    @CsvSource({"0, 4096", "4096, 8192", "4100, 1000", "12345, 20000", "1, 1"})
    void aRegionShowsItsPartOfTheFile(long offset, long size) throws Exception {
        memory.add(new Region(0x1000, size, USER, offset), file);

        memory.guest(0x1000, size).set(JAVA_BYTE, size - 1, (byte) 77);

        assertEquals(77, memory.user(USER + size - 1, 1).get(JAVA_BYTE, 0));
        MemorySegment one = java.lang.foreign.Arena.ofAuto().allocate(1);
        SYS.preadv2(file, Buffers.of(one), offset + size - 1, 0);
        assertEquals(77, one.get(JAVA_BYTE, 0));
        assertThrows(NotGuestMemoryException.class, () -> memory.guest(0x1000, size + 1));
        assertThrows(NotGuestMemoryException.class, () -> memory.guest(0xfff, 1));
        assertThrows(NotGuestMemoryException.class, () -> memory.guest(0x1000, 0));
    }

    /// Descriptors keep the mapping alive no longer than the region. Caught: cleanup that unmaps
    /// nothing.
    @Test
    void aRegionThatIsGoneIsUnmapped() throws Exception {
        Region region = new Region(0x1000, PAGE, USER, 0);
        long before = mappings();

        memory.add(region, file);
        MemorySegment old = memory.guest(0x1000, 8);
        assertEquals(before + 1, mappings());
        memory.remove(new Region(0x1000, PAGE, USER, 12345)); // a front end may leave the offset out

        assertEquals(before, mappings());
        assertThrows(NotGuestMemoryException.class, () -> memory.guest(0x1000, 8));
        assertThrows(IllegalStateException.class, () -> old.get(JAVA_LONG_UNALIGNED, 0));
        assertRefused(() -> memory.remove(region));
    }

    private static long mappings() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("memfd:guest"))
                .count();
    }

    /// Touching a page behind the end of the file would be `SIGBUS`, and the end of the daemon.
    ///
    /// Caught: without the comparison; with `>=`; with a sum that overflows.
    @Test
    void aRegionLargerThanItsFileIsRefused() throws Exception {
        assertRefused(() -> memory.add(new Region(0, 16L * PAGE + 1, USER, 0), file));
        assertRefused(() -> memory.add(new Region(0, PAGE, USER, 16L * PAGE), file));
        assertRefused(() -> memory.add(new Region(0, PAGE, USER, Long.MAX_VALUE - 10), file));
        assertRefused(() -> memory.add(new Region(0, Long.MAX_VALUE, USER, PAGE), file));
        assertRefused(() -> memory.add(new Region(0, 0, USER, 0), file));
        assertRefused(() -> memory.add(new Region(0, -PAGE, USER, 0), file));
        assertRefused(() -> memory.add(new Region(0, PAGE, USER, -PAGE), file));
        assertRefused(() -> memory.add(new Region(-10, PAGE, USER, 0), file));
        assertRefused(() -> memory.add(new Region(0, PAGE, -10, 0), file));

        memory.add(new Region(0, 16L * PAGE, USER, 0), file);
        assertEquals(1, memory.regions().size());
    }

    /// Addresses are unsigned, and the last one counts.
    @Test
    void aRegionMayEndAtTheLastAddress() throws Exception {
        memory.add(new Region(-PAGE, PAGE, -2L * PAGE, 0), file);

        assertEquals(PAGE, memory.guest(-PAGE, PAGE).byteSize());
        assertThrows(NotGuestMemoryException.class, () -> memory.guest(-1, 2));
        assertThrows(NotGuestMemoryException.class, () -> memory.guest(-PAGE, -1));
        assertThrows(NotGuestMemoryException.class, () -> memory.user(-PAGE, 1));
    }

    /// Caught: a comparison of one end only; user addresses not compared.
    @ParameterizedTest
    @CsvSource({
        "0x2000, 0x2000, true",
        "0x1000, 0x1001, true",
        "0x3fff, 1, true",
        "0x2800, 1, true",
        "0, 0x10000, true",
        "0x1000, 0x1000, false",
        "0x4000, 0x1000, false"
    })
    void regionsDoNotOverlap(String address, String size, boolean overlaps) throws Exception {
        long at = Long.decode(address);
        long length = Long.decode(size);
        memory.add(new Region(0x2000, 0x2000, USER + 0x2000, 0), file);

        List<Region> candidates =
                List.of(new Region(at, length, USER + 0x100000, 0), new Region(0x100000, length, USER + at, 0));

        for (Region candidate : candidates) {
            if (overlaps) {
                assertRefused(() -> memory.add(candidate, file));
            } else {
                memory.add(candidate, file);
                memory.remove(candidate);
            }
        }
        assertEquals(1, memory.regions().size());
    }

    /// vhost-user: `VHOST_USER_SET_MEM_TABLE` replaces all, or nothing when it fails.
    ///
    /// Caught: what was mapped before the failure kept.
    @Test
    void replacingIsAllOrNothing() throws Exception {
        Region old = new Region(0x1000, PAGE, USER, 0);
        Region good = new Region(0x100000, PAGE, USER + 0x100000, PAGE);
        Region bad = new Region(0x200000, 17L * PAGE, USER + 0x200000, 0);
        memory.add(old, file);
        long before = mappings();

        assertRefused(() -> memory.replace(List.of(good, bad), List.of(file, file)));
        assertRefused(() -> memory.replace(List.of(good, good), List.of(file, file)));
        assertRefused(() -> memory.replace(List.of(good), List.of()));
        assertEquals(List.of(old), memory.regions());
        assertEquals(before, mappings());
        memory.replace(List.of(good), List.of(file));

        assertEquals(List.of(good), memory.regions());
        assertEquals(before, mappings());
        memory.replace(List.of(old), List.of(file)); // the same place again
    }

    /// A queue that is inside keeps its memory. Caught: `swap` without the lock.
    @Test
    void removalWaitsUntilNobodyIsInside() throws Exception {
        Region region = new Region(0x1000, PAGE, USER, 0);
        memory.add(region, file);
        AtomicBoolean removed = new AtomicBoolean();
        memory.enter();
        memory.enter(); // nested
        MemorySegment inUse = memory.guest(0x1000, 8);

        Thread remover = Thread.ofPlatform().start(() -> {
            try {
                memory.remove(region);
                removed.set(true);
            } catch (ErrnoException e) {
                throw new AssertionError(e);
            }
        });
        Thread.sleep(100);
        memory.leave();
        Thread.sleep(100);
        assertFalse(removed.get());
        inUse.set(JAVA_LONG_UNALIGNED, 0, 42);
        memory.leave();

        assertTrue(remover.join(Duration.ofSeconds(10)));
        assertTrue(removed.get());
        assertThrows(NotGuestMemoryException.class, () -> memory.guest(0x1000, 8));
    }

    /// Waiting for oneself would be for ever.
    @Test
    void removingFromInsideIsAnError() throws Exception {
        Region region = new Region(0x1000, PAGE, USER, 0);
        memory.add(region, file);
        memory.enter();

        assertThrows(IllegalStateException.class, () -> memory.remove(region));

        memory.leave();
        assertEquals(List.of(region), memory.regions());
    }

    /// Queues look up and touch while regions are taken away and put back; each lookup either
    /// answers memory that can be touched, or says that there is none.
    ///
    /// Caught: `enter` that does nothing; `swap` without the lock.
    @Test
    void queuesRunWhileRegionsComeAndGo() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        List<Throwable> failures = new ArrayList<>();
        List<Thread> queues = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Random random = new Random(i);
            queues.add(Thread.ofPlatform().start(() -> {
                try {
                    touchUntil(done, random);
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }

        for (int i = 0; i < 1000; i++) {
            Region region = new Region(0x1000L * (i % 4), 0x1000, USER + 0x1000L * (i % 4), 0);
            memory.add(region, file);
            Thread.onSpinWait();
            memory.remove(region);
        }
        done.set(true);
        for (Thread queue : queues) {
            queue.join();
        }

        assertEquals(List.of(), failures);
    }

    private void touchUntil(AtomicBoolean done, Random random) {
        while (!done.get()) {
            memory.enter();
            try {
                MemorySegment found = memory.guest(random.nextInt(0x4000), 1 + random.nextInt(64));
                found.set(JAVA_BYTE, found.byteSize() - 1, (byte) 1);
            } catch (NotGuestMemoryException _) {
                // Taken away, or a range over the end.
            } finally {
                memory.leave();
            }
        }
    }

    private static void assertRefused(org.junit.jupiter.api.function.Executable call) {
        assertEquals(Errno.EINVAL, assertThrows(ErrnoException.class, call).errno());
    }
}
