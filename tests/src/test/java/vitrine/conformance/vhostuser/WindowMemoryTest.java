package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.vhostuser.Host.SYS;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.WindowMemory;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.vhostuser.message.WindowPayload.Piece;

/// The window as the front end has it: real mappings of files that a back end hands over, and a
/// front end that believes nothing.
class WindowMemoryTest {

    private static final long PAGE = SYS.pageSize();
    private static final long SIZE = 16 * PAGE;
    private static final long WRITABLE = Piece.WRITABLE;

    @TempDir
    private Path directory;

    private WindowMemory window;
    private Path file;

    @BeforeEach
    void reserve() throws Exception {
        window = WindowMemory.reserve(SYS, SIZE);
        file = Files.writeString(directory.resolve("f"), "a file ".repeat(4096)); // seven pages
        window.map(new Piece(0, 0, 4 * PAGE, 2 * PAGE, WRITABLE), open(Fcntl.O_RDWR));
    }

    @AfterEach
    void close() {
        window.close();
    }

    private Fd open(int flags) throws ErrnoException {
        return SYS.openPath(file.toString(), flags);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Loads and stores are the file's, at once and in both directions; a piece begins anywhere in
    /// the file.
    @Test
    void whatIsSeenInTheWindowIsTheFile() throws Exception {
        window.map(new Piece(0, 2 * PAGE, 0, PAGE, WRITABLE), open(Fcntl.O_RDWR));

        assertArrayEquals(bytes("a file"), window.load(4 * PAGE, 6));
        window.store(5 * PAGE - 3, bytes("across"));
        assertEquals("across", Files.readString(file).substring((int) PAGE - 3, (int) PAGE + 3));
        window.store(0, bytes("third page"));
        assertEquals("third page", Files.readString(file).substring((int) (2 * PAGE), (int) (2 * PAGE) + 10));
        assertEquals(2, window.pieces());
    }

    static Stream<Piece> impossible() {
        long end = 7 * PAGE; // of the file
        return Stream.of(
                new Piece(1, 0, 0, PAGE, WRITABLE),
                new Piece(0, 0, 0, PAGE, 2),
                new Piece(0, 0, 0, 0, WRITABLE),
                new Piece(0, 0, 0, -PAGE, WRITABLE),
                new Piece(0, 0, SIZE, PAGE, WRITABLE),
                new Piece(0, 0, SIZE - PAGE, 2 * PAGE, WRITABLE),
                new Piece(0, 0, -PAGE, PAGE, WRITABLE),
                new Piece(0, 0, PAGE, Long.MAX_VALUE - PAGE + 1, WRITABLE),
                new Piece(0, 512, 0, PAGE, WRITABLE),
                new Piece(0, 0, 512, PAGE, WRITABLE),
                new Piece(0, 0, 0, PAGE + 512, WRITABLE),
                new Piece(0, -PAGE, 0, PAGE, WRITABLE),
                new Piece(0, end - PAGE, 0, 2 * PAGE, WRITABLE), // behind the end
                new Piece(0, 0, 3 * PAGE, 2 * PAGE, WRITABLE), // across the one that is there,
                new Piece(0, 0, 5 * PAGE, 2 * PAGE, WRITABLE), // from all sides
                new Piece(0, 0, 4 * PAGE, PAGE, WRITABLE),
                new Piece(0, 0, 3 * PAGE, 4 * PAGE, WRITABLE));
    }

    /// Seen to catch: WindowMemory.requirePlace that does not look at the window's number, at the
    /// flags, for whole pages, or where the window ends; without the piece before;
    /// requireWithinFile without the length of the file.
    @ParameterizedTest
    @MethodSource("impossible")
    void whatCannotBeIsRefusedAndNothingChanges(Piece piece) throws Exception {
        ErrnoException refusal = assertThrows(ErrnoException.class, () -> window.map(piece, open(Fcntl.O_RDWR)));

        assertEquals(Errno.EINVAL, refusal.errno());
        assertArrayEquals(bytes("a file"), window.load(4 * PAGE, 6));
        assertThrows(BusErrorException.class, () -> window.load(3 * PAGE, 1));
        assertThrows(BusErrorException.class, () -> window.load(6 * PAGE, 1));
        assertEquals(1, Host.timesOpen(file), "for the piece that is there");
    }

    /// QEMU 11.1 maps for writing whatever it is asked for, makes an empty file longer, and does
    /// not listen any more after an `O_PATH` descriptor.
    ///
    /// Seen to catch: WindowMemory.map without requireWithinFile.
    @Test
    void aFileThatCannotBeMappedWhollyIsRefused() throws Exception {
        Piece piece = new Piece(0, 0, 0, PAGE, WRITABLE);

        assertEquals(Errno.EACCES, errnoOf(piece, open(Fcntl.O_RDONLY)));
        assertEquals(Errno.EBADF, errnoOf(piece, open(Fcntl.O_PATH)));
        assertEquals(Errno.EINVAL, errnoOf(piece, SYS.openPath(directory.toString(), Fcntl.O_RDONLY)));
        file = Files.createFile(directory.resolve("empty"));
        assertEquals(Errno.EINVAL, errnoOf(piece, open(Fcntl.O_RDWR)));
        assertEquals(0, Files.size(file));
        assertThrows(BusErrorException.class, () -> window.load(0, 1));
    }

    private int errnoOf(Piece piece, Fd fd) {
        return assertThrows(ErrnoException.class, () -> window.map(piece, fd)).errno();
    }

    /// One mapping goes at a time, as it came.
    @Test
    void onlyAWholePieceIsUnmapped() throws Exception {
        for (Piece wrong : new Piece[] {
            new Piece(0, 0, 4 * PAGE, PAGE, 0),
            new Piece(0, 0, 5 * PAGE, PAGE, 0),
            new Piece(0, 0, 0, SIZE, 0),
            new Piece(1, 0, 4 * PAGE, 2 * PAGE, 0)
        }) {
            assertThrows(ErrnoException.class, () -> window.unmap(wrong), wrong.toString());
        }
        window.unmap(new Piece(0, 0, 4 * PAGE, 2 * PAGE, 0));

        assertEquals(0, window.pieces());
        assertThrows(BusErrorException.class, () -> window.store(4 * PAGE, new byte[1]));
    }

    /// Somebody on the host shortens a file: the guest's program dies of it, this process does not.
    ///
    /// Seen to catch: loads that touch the memory (the whole test run dies of SIGBUS).
    @Test
    void whatIsGoneFromTheFileIsABusErrorAndNoMore() throws Exception {
        try (var channel = Files.newByteChannel(file, java.nio.file.StandardOpenOption.WRITE)) {
            channel.truncate(PAGE);
        }

        assertThrows(BusErrorException.class, () -> window.load(5 * PAGE, 1));
        assertThrows(BusErrorException.class, () -> window.load(5 * PAGE - 1, 2));
        assertThrows(BusErrorException.class, () -> window.store(5 * PAGE, new byte[1]));
        assertArrayEquals(bytes("a file"), window.load(4 * PAGE, 6));
    }

    /// QEMU ends with an assertion for some of these.
    @ParameterizedTest
    @ValueSource(longs = {1, 512, 12_288, -4096, 1L << 37, Long.MIN_VALUE})
    void aWindowIsAPowerOfTwoOfPages(long size) {
        FrontendException refusal = assertThrows(FrontendException.class, () -> WindowMemory.reserve(SYS, size));

        assertTrue(refusal.getMessage().contains("power of two"), refusal::getMessage);
    }
}
