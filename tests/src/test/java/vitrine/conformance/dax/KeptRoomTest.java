package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.posix.Mounted;
import vitrine.dax.DaxPolicy;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// A piece that the guest may store into keeps its room, whatever is done to its file afterwards,
/// also on a disk that has filled up since. Without, QEMU ends with `SIGBUS` at a store; here the
/// store is an error.
@Timeout(60)
class KeptRoomTest {

    private static final int PAGE = 4096;
    private static final int FAR = 300 * PAGE; // within the first piece
    private static final int PUNCH = Fcntl.FALLOC_FL_PUNCH_HOLE | Fcntl.FALLOC_FL_KEEP_SIZE;

    @TempDir
    private Path directory;

    private Path share;

    @BeforeEach
    void makeShare() throws Exception {
        share = Files.createDirectory(directory.resolve("share"));
    }

    private interface Story {
        void of(GuestProcess program, int fd) throws Exception;
    }

    /// A guest that has a file open.
    private void guest(Story story) throws Exception {
        PassthroughOptions always =
                PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()).withCache(CachePolicy.NEVER);
        try (EndlessHost host = EndlessHost.needed();
                DaxGuest guest = new DaxGuest(
                        new DaxGuest.Share(host.files::open, share, 4, always),
                        MachineOptions.DEFAULT.withDax(DaxMode.ALWAYS),
                        Machine::stepped)) {
            story.of(guest.program, guest.program.open("/f", Fcntl.O_RDWR));
        }
    }

    private static byte[] page(char letter) {
        byte[] page = new byte[PAGE];
        Arrays.fill(page, (byte) letter);
        return page;
    }

    private byte[] pages(int count) throws IOException {
        byte[] bytes = new byte[count * PAGE];
        Arrays.fill(bytes, (byte) 'f');
        Files.write(share.resolve("f"), bytes);
        return bytes;
    }

    private static void storeInEveryPage(GuestProcess program, int fd) throws ErrnoException {
        for (long at = 0; at < program.fstat(fd).size(); at += PAGE) {
            program.pwrite(fd, page('s'), at);
            assertArrayEquals(page('s'), program.pread(fd, PAGE, at));
        }
    }

    /// How a file of one page gets longer, with a hole in it.
    private enum Growth {
        TRUNCATE,
        WRITE_BEHIND_THE_END,
        ALLOCATE_BEHIND_THE_END,
        COPY_BEHIND_THE_END;

        void make(GuestProcess program, int fd) throws ErrnoException {
            switch (this) {
                case TRUNCATE -> program.ftruncate(fd, FAR + PAGE);
                case WRITE_BEHIND_THE_END -> program.pwrite(fd, page('w'), FAR);
                case ALLOCATE_BEHIND_THE_END -> program.fallocate(fd, 0, FAR, PAGE);
                case COPY_BEHIND_THE_END -> program.copyFileRange(fd, 0, fd, FAR, PAGE);
            }
        }
    }

    /// Seen to catch: truncate, write and fallocate that make no room before (each for itself; the
    /// copy is a write then).
    @ParameterizedTest
    @EnumSource
    void aHoleThatAFileGetsAsItGrowsHasRoom(Growth growth) throws Exception {
        try (Mounted disk = Mounted.ext4(share)) {
            pages(1);
            guest((program, fd) -> {
                program.pwrite(fd, page('a'), 0);
                growth.make(program, fd);
                assertEquals(FAR + PAGE, program.fstat(fd).size());
                disk.fill();
                storeInEveryPage(program, fd);
            });
        }
    }

    /// Seen to catch: InodeOperations.truncate that makes no room before.
    @ParameterizedTest
    @EnumSource
    void aFileThatFindsNoRoomStaysAsItWas(Growth growth) throws Exception {
        try (Mounted disk = Mounted.ext4(share)) {
            pages(1);
            guest((program, fd) -> {
                program.pwrite(fd, page('a'), 0);
                disk.fill();

                int errno = assertThrows(ErrnoException.class, () -> growth.make(program, fd))
                        .errno();

                assertEquals(Errno.ENOSPC, errno);
                assertArrayEquals(page('a'), Files.readAllBytes(share.resolve("f")));
                storeInEveryPage(program, fd);
            });
        }
    }

    /// What is punched reads as zeros, from the first byte to the last, and can be stored into;
    /// where the guest has stored nothing, the disk gets its blocks back.
    ///
    /// Seen to catch: FileOperations.fallocate that punches; Room.punch that frees nothing between
    /// two pieces, or behind the last one, or zeros behind the end of the file; Room.zero that
    /// leaves tmpfs with the hole.
    @ParameterizedTest
    @EnumSource
    void aPunchedHoleKeepsItsRoom(PunchedOn what) throws Exception {
        try (Mounted disk = what.mount(share)) {
            int pages = 2 * (int) (DaxGuest.RANGE / PAGE) + 100; // the third piece has an end in it
            byte[] bytes = pages(pages);
            int from = 5 * PAGE + 10;
            int to = bytes.length - PAGE - 10;
            guest((program, fd) -> {
                program.pwrite(fd, page('f'), 0);
                program.fallocate(fd, PUNCH, DaxGuest.RANGE, PAGE);
                Arrays.fill(bytes, 2 << 20, (2 << 20) + PAGE, (byte) 0);
                assertArrayEquals(bytes, Files.readAllBytes(share.resolve("f")), "behind the last piece");
                program.pwrite(fd, page('f'), 2 * DaxGuest.RANGE);
                long free = Files.getFileStore(share).getUnallocatedSpace();

                program.fallocate(fd, PUNCH, from, to - from);
                program.fallocate(fd, PUNCH, bytes.length - 10, 1L << 40);

                Arrays.fill(bytes, from, to, (byte) 0);
                Arrays.fill(bytes, bytes.length - 10, bytes.length, (byte) 0);
                assertArrayEquals(bytes, Files.readAllBytes(share.resolve("f")));
                long freed = Files.getFileStore(share).getUnallocatedSpace() - free;
                assertTrue(freed >= DaxGuest.RANGE - 3 * PAGE, freed + " bytes");
                disk.fill();
                for (long at : new long[] {0, 5, 6, 511, 1024, 1025, pages - 1}) {
                    program.pwrite(fd, page('s'), at * PAGE);
                }
            });
        }
    }

    private enum PunchedOn {
        EXT4,
        XFS,
        TMPFS;

        Mounted mount(Path share) throws Exception {
            return switch (this) {
                case EXT4 -> Mounted.ext4(share);
                case XFS -> Mounted.xfs(share);
                case TMPFS -> Mounted.tmpfs(share, 20 << 20);
            };
        }
    }

    /// A copy on the host that shares all blocks (`cp --reflink`), and then one that the guest
    /// makes, of what it stores into: each store needs no block of which nobody knows.
    ///
    /// Seen to catch: Piece.makeRoom that unshares nothing; a copy out of a piece, and into one,
    /// that the host makes.
    @Test
    void whatSharesItsBlocksWithACopyGetsItsOwn() throws Exception {
        try (Mounted disk = Mounted.xfs(share)) {
            byte[] bytes = pages(2 * (int) (DaxGuest.RANGE / PAGE));
            Path copy = share.resolve("copy");
            reflink(share.resolve("f"), copy);
            guest((program, fd) -> {
                program.pwrite(fd, page('s'), 0);
                int second = program.open("/second", Fcntl.O_RDWR | Fcntl.O_CREAT);
                program.copyFileRange(fd, 0, second, 0, DaxGuest.RANGE);
                program.copyFileRange(second, 0, fd, 0, DaxGuest.RANGE);
                disk.fill();

                for (long at = 0; at < DaxGuest.RANGE; at += PAGE) {
                    program.pwrite(fd, page('s'), at);
                }
                ErrnoException none =
                        assertThrows(ErrnoException.class, () -> program.pwrite(fd, page('s'), DaxGuest.RANGE));
                assertEquals(Errno.ENOSPC, none.errno());
                assertArrayEquals(bytes, Files.readAllBytes(copy));
            });
        }
    }

    private static void reflink(Path from, Path to) throws Exception {
        int status = new ProcessBuilder("cp", "--reflink=always", from.toString(), to.toString())
                .inheritIO()
                .start()
                .waitFor();
        assertEquals(0, status);
    }
}
