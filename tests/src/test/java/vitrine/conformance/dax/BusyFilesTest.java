package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.dax.DaxPolicy;
import vitrine.dax.HostFile;
import vitrine.dax.Window;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.MappingFlag;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.process.ProgramMemory;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;

/// Files that cannot be opened for writing, which a guest with `dax=always` can read all the same.
/// QEMU maps nothing that it could not write to.
@Timeout(60)
class BusyFilesTest {

    private static final int SIZE = 3_000_001; // two pieces, and an end within a page

    private static final long READ = MappingFlag.READ.bit();
    private static final long WRITE = MappingFlag.WRITE.bit();

    @TempDir
    private Path directory;

    private Path share;
    private EndlessHost host;
    private DaxGuest guest;

    @BeforeEach
    void makeShare() throws Exception {
        host = EndlessHost.needed();
        share = Files.createDirectory(directory.resolve("share"));
    }

    @AfterEach
    void close() throws ErrnoException {
        if (guest != null) {
            guest.close();
        }
        host.close();
    }

    private void boot() throws Exception {
        MachineOptions always = MachineOptions.DEFAULT.withDax(DaxMode.ALWAYS);
        PassthroughOptions asking =
                PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()).withCache(CachePolicy.NEVER);
        guest = new DaxGuest(new DaxGuest.Share(host.files::open, share, 4, asking), always, Machine::stepped);
    }

    private static byte[] filled(char with, int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private static int errnoOf(ThrowingCall call) {
        return assertThrows(ErrnoException.class, call::go).errno();
    }

    private interface ThrowingCall {
        void go() throws ErrnoException;
    }

    /// A program that runs on the host. When it is over, its file is one as any other: what the
    /// guest writes, it reads.
    ///
    /// Seen to catch: Window.order without a copy; PassthroughFs.answer without renewCopies (the
    /// last assertion).
    @Test
    void aProgramThatRunsOnTheHostCanBeReadInTheGuest() throws Exception {
        Path program = Files.copy(Path.of("/bin/sleep"), share.resolve("program"));
        Process running = new ProcessBuilder(program.toString(), "60").start();
        try {
            boot();
            byte[] bytes = Files.readAllBytes(program);
            int fd = guest.program.open("/program", Fcntl.O_RDONLY);

            assertArrayEquals(bytes, guest.program.pread(fd, bytes.length, 0));
            try (ProgramMemory memory = guest.program.mmap(fd, 0, bytes.length, false)) {
                assertArrayEquals(bytes, memory.load(0, bytes.length));
            }
            assertEquals(1, guest.window.pieces());
            assertEquals(Errno.ETXTBSY, errnoOf(() -> guest.program.open("/program", Fcntl.O_RDWR)));
        } finally {
            running.destroy();
            running.waitFor();
        }
        int fd = guest.program.open("/program", Fcntl.O_RDWR | Fcntl.O_TRUNC);
        guest.program.write(fd, filled('n', 5000));
        assertArrayEquals(filled('n', 5000), guest.program.pread(fd, 9000, 0));
    }

    /// A read-only mount inside the share, whose files change by another way. Who asks for the
    /// size finds the data that belongs to it, as without a window; also on a file system whose
    /// clock ticks once in a second (ext4 with inodes of 128 bytes).
    ///
    /// Seen to catch: PieceCopy.renew that copies nothing; that keeps the ctime of a file that was
    /// changed within a tick; copy that leaves what was behind a new end.
    @Test
    void aFileOnAReadOnlyMountIsSeenAsItIsNow() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        try (Mounted coarse = Mounted.ext4(other, "-I", "128");
                Mounted _ = Mounted.bindReadOnly(coarse.where(), Files.createDirectory(share.resolve("mount")))) {
            Path file = Files.write(other.resolve("f"), filled('a', SIZE));
            boot();
            int fd = guest.program.open("/mount/f", Fcntl.O_RDONLY);
            assertArrayEquals(filled('a', SIZE), guest.program.pread(fd, SIZE, 0));
            for (int round = 0; round < 20; round++) {
                byte[] now = filled((char) ('b' + round), round % 2 == 0 ? 10 : SIZE + 10 - round);
                Files.write(file, now, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);

                assertEquals(now.length, guest.program.fstat(fd).size());
                assertArrayEquals(now, guest.program.pread(fd, SIZE + 10, 0), "round " + round);
                try (ProgramMemory memory = guest.program.mmap(fd, 0, 4096, false)) {
                    assertArrayEquals(Arrays.copyOf(now, 4096), memory.load(0, 4096), "up to the end of the page");
                }
            }
            assertEquals(2, guest.window.pieces());
            guest.close();
            guest = null;
            assertEquals(0, copiesInMemory());
        }
    }

    /// An immutable file, which root may not write to either.
    ///
    /// Seen to catch: PieceCopy.isReason without EPERM.
    @Test
    void anImmutableFileIsRead() throws Exception {
        try (Mounted _ = Mounted.ext4(share)) {
            Path file = Files.write(share.resolve("f"), filled('i', SIZE));
            chattr("+i", file);
            boot();
            int fd = guest.program.open("/f", Fcntl.O_RDONLY);

            assertArrayEquals(filled('i', SIZE), guest.program.pread(fd, SIZE + 10, 0));
            try (ProgramMemory memory = guest.program.mmap(fd, 0, SIZE, false)) {
                assertArrayEquals(filled('i', 10), memory.load(SIZE - 10, 10));
            }
            assertEquals(2, guest.window.pieces());
            assertEquals(Errno.EPERM, errnoOf(() -> guest.program.open("/f", Fcntl.O_RDWR)));

            chattr("-i", file);
            int writable = guest.program.open("/f", Fcntl.O_RDWR);
            assertEquals(Errno.EPERM, errnoOf(() -> guest.program.pwrite(writable, filled('n', 10), 0)));
            guest.program.pwrite(writable, filled('n', 10), SIZE);
            assertArrayEquals(filled('n', 10), guest.program.pread(fd, 99, SIZE));
        }
    }

    private static void chattr(String mark, Path file) throws Exception {
        Needs.tool("chattr", "e2fsprogs");
        assertEquals(
                0,
                new ProcessBuilder("chattr", mark, file.toString())
                        .inheritIO()
                        .start()
                        .waitFor());
    }

    /// The front end has the copy's memory, too: it must not take from the daemon what that writes
    /// to.
    ///
    /// Seen to catch: PieceCopy without seals.
    @Test
    void nobodyMakesACopyShorter() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.write(other.resolve("f"), filled('a', SIZE));
        try (Mounted _ = Mounted.bindReadOnly(other, Files.createDirectory(share.resolve("mount")))) {
            boot();
            guest.program.pread(guest.program.open("/mount/f", Fcntl.O_RDONLY), SIZE, 0);
            List<Path> copies = copiesOpen();
            assertEquals(2, copies.size());
            for (Path copy : copies) {
                try (Fd memory = SYS.openPath(copy.toString(), Fcntl.O_RDWR)) {
                    assertEquals(Errno.EPERM, errnoOf(() -> SYS.ftruncate(memory, 0)));
                    assertEquals(Errno.EPERM, errnoOf(() -> SYS.ftruncate(memory, 1L << 40)));
                }
            }
        }
    }

    private static List<Path> copiesOpen() throws Exception {
        List<Path> copies = new ArrayList<>();
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            for (Path fd : open.toList()) {
                if (Files.isSymbolicLink(fd)
                        && Files.readSymbolicLink(fd).toString().contains("vitrine-copy")) {
                    copies.add(fd);
                }
            }
        }
        return copies;
    }

    private static long copiesInMemory() throws Exception {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("vitrine-copy")).count();
        }
    }

    /// A file that cannot be opened for writing is seen in a copy, and a copy is nothing to write
    /// to: not later either, when the file could be.
    ///
    /// Seen to catch: Window.setup without requireWritable; order without asking what the guest
    /// wants to do; isReason always true.
    @Test
    void whatNobodyMayWriteToIsSeenInACopy() throws ErrnoException {
        ObedientMapper frontend = new ObedientMapper();
        Window window = new Window(SYS, 2 * DaxGuest.RANGE, SYS::dup);
        window.use(frontend);
        HostFile file = new HostFile(1, 100);
        AtomicInteger errno = new AtomicInteger(Errno.ETXTBSY);
        Window.Source source = access -> {
            if (access != Fcntl.O_RDONLY && errno.get() != 0) {
                throw new ErrnoException("open", errno.get());
            }
            return SYS.memfdCreate("file");
        };
        SetupMappingIn toRead = mapping(DaxGuest.RANGE, READ, 0);
        SetupMappingIn toWrite = mapping(DaxGuest.RANGE, READ | WRITE, 0);

        assertEquals(Errno.ETXTBSY, errnoOf(() -> window.setup(toWrite, file, source)));
        assertEquals(List.of(), frontend.orders);
        assertSame(Reply.EMPTY, window.setup(toRead, file, source));
        errno.set(0);
        assertSame(Reply.EMPTY, window.setup(toRead, file, source));
        assertEquals(Errno.ETXTBSY, errnoOf(() -> window.setup(toWrite, file, source)));
        assertEquals(List.of("map 0x0+0x200000 from 0x0"), frontend.orders, "from the start of the copy");

        window.remove(List.of(new RemoveMappingOne(0, DaxGuest.RANGE)));
        assertSame(Reply.EMPTY, window.setup(toWrite, file, source));
        errno.set(Errno.EMFILE);
        assertEquals(Errno.EMFILE, errnoOf(() -> window.setup(mapping(0, READ, DaxGuest.RANGE), file, source)));
    }

    private static SetupMappingIn mapping(long fileOffset, long flags, long offset) {
        return new SetupMappingIn(-1, fileOffset, DaxGuest.RANGE, flags, offset);
    }
}
