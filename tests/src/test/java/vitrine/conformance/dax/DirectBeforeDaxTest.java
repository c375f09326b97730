package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.dax.DaxPolicy;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.guest.process.ProgramMemory;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;

/// Direct-I/O style against DAX style: a guest that never was, beside one that is.
class DirectBeforeDaxTest {

    private static final long SIZE = 8L << 20;

    @TempDir
    private Path share;

    /// With `cache=never` the server wants data for itself (`FOPEN_DIRECT_IO`), and the file is in
    /// the window: a guest that looks at the one before the other sends each read, write and
    /// append, and goes to the window for a mapping only. Linux does not, so that an append is all
    /// that is left to send, or not even that.
    ///
    /// Seen to catch: the habit taken for off in FileIo.read; in FileIo.writePath.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true  | WRITE           | READ; WRITE -100+5; WRITE 0+5; map 0 at 0 r
            true  | FALLOCATE_FIRST | READ; WRITE -100+5; WRITE 0+5; map 0 at 0 r
            false | WRITE           | map 6 at 0 r; map 6 at 0 rw; WRITE 0+5; map 0 at 2 r
            false | FALLOCATE_FIRST | map 6 at 0 r; map 6 at 0 rw; FALLOCATE 0+5, map 8 at 2 rw; map 0 at 4 r
            """)
    void directStyleAndDaxStyleDifferInWhoIsAskedFirst(boolean serverFirst, ExtendingWrite strategy, String asked)
            throws Exception {
        try (var file = new RandomAccessFile(share.resolve("f").toFile(), "rw")) {
            file.setLength(SIZE);
        }
        PassthroughOptions never =
                PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()).withCache(CachePolicy.NEVER);
        KernelProfile linux = KernelProfile.LINUX_6_12;
        MachineOptions options = MachineOptions.DEFAULT
                .withDax(DaxMode.ALWAYS)
                .withExtendingWrite(strategy)
                .withKernel(serverFirst ? linux.with(Habit.SERVER_DIRECT_BEFORE_DAX) : linux);
        try (EndlessHost host = EndlessHost.needed();
                DaxGuest guest = new DaxGuest(
                        new DaxGuest.Share(host.files::open, share, 16, never), options, Machine::stepped)) {
            int fd = guest.program.open("/f", Fcntl.O_RDWR);

            ProgramMemory memory = guest.program.mmap(fd, 0, SIZE, true);

            String seen = String.join(
                    "; ",
                    guest.asked(SIZE, () -> guest.program.pread(fd, 5, SIZE - 100)),
                    guest.asked(SIZE, () -> guest.program.pwrite(fd, new byte[5], SIZE - 100)),
                    guest.asked(SIZE, () -> guest.program.pwrite(fd, new byte[5], SIZE)),
                    guest.asked(SIZE, () -> memory.load(0, 5)));

            assertEquals(asked, seen);
        }
    }
}
