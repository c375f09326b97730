package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

/// What a guest with a window writes to a disk that is full.
@Timeout(60)
class FullDiskTest {

    private static final int FILE = 32 << 20; // larger than the disks
    private static final byte[] PAGE = new byte[4096];

    @TempDir
    private Path directory;

    static {
        PAGE[0] = 1;
    }

    /// The work on a sparse file, one page of each piece.
    private interface Work {
        void on(GuestProcess program, int fd, long offset) throws ErrnoException;
    }

    /// @return how many pieces had room
    private static int piecesWithRoom(Path share, Work work) throws Exception {
        try (RandomAccessFile sparse =
                new RandomAccessFile(share.resolve("sparse").toFile(), "rw")) {
            sparse.setLength(FILE);
        }
        PassthroughOptions always =
                PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()).withCache(CachePolicy.NEVER);
        try (EndlessHost host = EndlessHost.needed();
                DaxGuest guest = new DaxGuest(
                        new DaxGuest.Share(host.files::open, share, 16, always),
                        MachineOptions.DEFAULT.withDax(DaxMode.ALWAYS),
                        Machine::stepped)) {
            int fd = guest.program.open("/sparse", Fcntl.O_RDWR);
            int pieces = 0;
            try {
                for (; pieces < FILE / DaxGuest.RANGE; pieces++) {
                    work.on(guest.program, fd, pieces * DaxGuest.RANGE);
                }
            } catch (ErrnoException e) {
                assertEquals(Errno.ENOSPC, e.errno(), e.call());
            }
            for (int i = 0; i < pieces; i++) {
                guest.program.pread(fd, PAGE.length, i * DaxGuest.RANGE);
            }
            return pieces;
        }
    }

    /// A write gets ENOSPC where no room is left, whether the piece was read before or not. A store
    /// into the window would have ended QEMU; here it is an InternalError.
    ///
    /// Seen to catch: Piece.makeRoom left out, for a new piece and for one that was read before.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWriteIntoAHoleFindsNoRoom(boolean readBefore) throws Exception {
        Path share = Files.createDirectory(directory.resolve("share"));
        try (Mounted _ = Mounted.ext4(share)) {
            int pieces = piecesWithRoom(share, (program, fd, offset) -> {
                if (readBefore) {
                    assertArrayEquals(new byte[PAGE.length], program.pread(fd, PAGE.length, offset));
                }
                program.pwrite(fd, PAGE, offset);
                assertArrayEquals(PAGE, program.pread(fd, PAGE.length, offset));
            });

            assertTrue(pieces > 2 && pieces < FILE / DaxGuest.RANGE, pieces + " pieces");
        }
    }

    /// In tmpfs a load takes room as well.
    ///
    /// Seen to catch: Piece.makeRoom for stores only.
    @Test
    void inTmpfsALoadFindsNoRoom() throws Exception {
        Path share = Files.createDirectory(directory.resolve("share"));
        try (Mounted _ = Mounted.tmpfs(share, 5 << 20)) {
            int pieces = piecesWithRoom(share, (program, fd, offset) -> program.pread(fd, PAGE.length, offset));

            assertEquals(2, pieces);
        }
    }
}
