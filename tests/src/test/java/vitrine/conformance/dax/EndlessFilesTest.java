package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.posix.Mounted;
import vitrine.dax.EndlessFiles;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.KernelCalls;
import vitrine.posix.Stat;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Files with the pages of others, and no end: what the front end is handed.
@Timeout(60)
class EndlessFilesTest {

    private static final long RANGE = 2L << 20;

    @TempDir
    private Path directory;

    private EndlessHost host;
    private MemorySegment mapped;

    @BeforeEach
    void mount() throws Exception {
        host = EndlessHost.needed();
    }

    @AfterEach
    void close() throws ErrnoException {
        if (mapped != null) {
            SYS.munmap(mapped);
        }
        host.close();
    }

    /// What QEMU does with a file: looks where it ends, and maps 2 MiB of it.
    private Path mapped(Path file) throws ErrnoException {
        try (Fd open = SYS.openPath(file.toString(), Fcntl.O_RDWR);
                Fd endless = host.files.open(open)) {
            assertEquals(EndlessFiles.LENGTH, SYS.lseek(endless, 0, Fcntl.SEEK_END));
            int protection = KernelCalls.PROT_READ | KernelCalls.PROT_WRITE;
            mapped = SYS.mmap(endless, 0, RANGE, protection, KernelCalls.MAP_SHARED);
        }
        return file;
    }

    /// What is mapped there. By the kernel, which does not die of what is not there.
    private String seen(long offset, int length) throws ErrnoException {
        try (Fd pipe = SYS.memfdCreate("seen");
                Arena arena = Arena.ofConfined()) {
            SYS.pwritev2(pipe, Buffers.of(mapped.asSlice(offset, length)), 0, 0);
            MemorySegment copy = arena.allocate(length);
            SYS.preadv2(pipe, Buffers.of(copy), 0, 0);
            return new String(copy.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    /// The pages are the file's own: both see at once what the other writes.
    @Test
    void thePagesAreTheFilesOwn() throws Exception {
        Path file = mapped(Files.writeString(directory.resolve("f"), "hello, tail"));

        assertEquals("hello, tail", seen(0, 11));
        mapped.setString(0, "HELLO"); // and a NUL behind it
        assertEquals("HELLO\0 tail", Files.readString(file));
        Files.writeString(file, "host!", StandardOpenOption.WRITE);
        assertEquals("host!\0 tail", seen(0, 11));
    }

    /// The reason for all this: neither is the file made longer, not even for a moment, nor is an
    /// empty one filled with 2 MiB of zeros, which is what QEMU does with it otherwise.
    ///
    /// Seen to catch: handing over the file itself (the assertion in `mapped`).
    @Test
    void theFileItselfKeepsItsEnd() throws Exception {
        Path file = mapped(Files.createFile(directory.resolve("empty")));
        assertEquals(0, Files.size(file));

        Files.writeString(file, "appended", StandardOpenOption.APPEND);

        assertEquals("appended", seen(0, 8), "growth needs no new mapping");
        assertEquals(8, Files.size(file));
    }

    /// Behind the end of the file there is nothing, and it is said, not made up.
    @Test
    void behindTheEndIsNothing() throws Exception {
        Path file = mapped(Files.writeString(directory.resolve("f"), "x".repeat(5000)));

        assertEquals("\0", seen(5000, 1), "the rest of the last page");
        assertEquals(
                Errno.EFAULT,
                assertThrows(ErrnoException.class, () -> seen(8192, 1)).errno());
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            channel.truncate(4096);
        }
        assertEquals(
                Errno.EFAULT,
                assertThrows(ErrnoException.class, () -> seen(4096, 1)).errno());
    }

    /// The descriptor goes to another process, which may be anybody's and knows nothing of a
    /// directory; no name leads to a file once it is open.
    ///
    /// Seen to catch: EndlessFiles.open without opening.remove.
    @Test
    void onlyTheDescriptorLeadsToAFile() throws Exception {
        Path file = Files.writeString(directory.resolve("f"), "data");
        try (Fd open = SYS.openPath(file.toString(), Fcntl.O_RDWR);
                Fd endless = host.files.open(open)) {
            for (int number = 0; number < 20; number++) {
                Name name = Name.of(Integer.toString(number));
                assertThrows(ErrnoException.class, () -> SYS.openat(host.root(), name, Fcntl.O_PATH, 0));
            }
            assertThrows(ErrnoException.class, () -> SYS.reopen(endless, Fcntl.O_RDWR), "once more by /proc");
        }
    }

    /// The daemon may end: what is mapped stays, as with any virtiofsd.
    @Test
    void whatIsMappedOutlivesTheMount() throws Exception {
        mapped(Files.writeString(directory.resolve("f"), "stays"));

        host.close();

        assertEquals("stays", seen(0, 5));
    }

    /// The file systems that this was tried on.
    @Test
    void itWorksOnTheUsualFileSystems() throws Exception {
        Path place = Files.createDirectory(directory.resolve("place"));
        for (String kind : new String[] {"ext4", "tmpfs", "overlay"}) {
            try (Mounted _ = switch (kind) {
                case "ext4" -> Mounted.ext4(place);
                case "tmpfs" -> Mounted.tmpfs(place);
                default -> Mounted.overlay(Files.createDirectory(directory.resolve("lower")), place);
            }) {
                mapped(Files.writeString(place.resolve("f"), kind));
                assertEquals(kind, seen(0, kind.length()));
                SYS.munmap(mapped);
                mapped = null;
            }
        }
    }

    /// Nothing is left of a file that was handed over and closed.
    @Test
    void nothingStaysOpen() throws Exception {
        Path file = Files.writeString(directory.resolve("f"), "data");
        String[] before = descriptors();
        for (int i = 0; i < 50; i++) {
            mapped(file);
            SYS.munmap(mapped);
            mapped = null;
        }
        assertArrayEquals(before, descriptors());
        try (Mounted tmpfs = Mounted.tmpfs(Files.createDirectory(directory.resolve("t")))) {
            mapped(Files.writeString(tmpfs.where().resolve("f"), "data"));
            SYS.munmap(mapped);
            mapped = null;
            assertTrue(tmpfs.unmount(), "somebody still has the file");
        }
    }

    private String[] descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.map(fd -> {
                        try {
                            return Files.readSymbolicLink(fd).toString();
                        } catch (java.io.IOException _) {
                            return "";
                        }
                    })
                    .filter(target -> target.startsWith(directory.toString()) || target.matches("/\\d+"))
                    .sorted()
                    .toArray(String[]::new);
        }
    }

    /// The front end looks how long the file is while we may be waiting for it.
    ///
    /// Seen to catch: attributes that are good for 0 seconds.
    @Test
    void theSizeNeedsNoAnswerOfOurs() throws Exception {
        Path file = Files.writeString(directory.resolve("f"), "data");
        try (Fd open = SYS.openPath(file.toString(), Fcntl.O_RDWR);
                Fd endless = host.files.open(open)) {
            assertEquals(
                    EndlessFiles.LENGTH, SYS.statx(endless, Stat.STATX_SIZE).size());
            assertEquals(EndlessFiles.LENGTH, SYS.lseek(endless, 0, Fcntl.SEEK_END));
            assertEquals(0, host.asked.get());
        }
    }
}
