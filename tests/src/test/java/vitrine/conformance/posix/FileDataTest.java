package vitrine.conformance.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static vitrine.conformance.posix.HostKernel.SYS;
import static vitrine.conformance.posix.HostKernel.assertErrno;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// What is written arrives, wherever its parts lie; what is read lies where it was wanted.
class FileDataTest {

    @TempDir
    Path temp;

    private Arena arena;
    private Fd dir;
    private Fd file;

    @BeforeEach
    void openFile() throws Exception {
        arena = Arena.ofConfined();
        dir = HostKernel.directory(temp);
        file = SYS.openat(dir, Name.of("file"), Fcntl.O_RDWR | Fcntl.O_CREAT, 0644);
    }

    @AfterEach
    void closeFile() {
        file.close();
        dir.close();
        arena.close();
    }

    /// A 1 MiB request has 256 parts; the kernel takes 1024 in one call (`IOV_MAX`), and more go in
    /// turns.
    ///
    /// Caught: `inTurns` without adding what was done to the offset; a limit of 1025.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1023, 1024, 1025, 5000})
    void dataInManyPartsGoesOutAndComesBack(int parts) throws Exception {
        Random random = new Random(parts);
        List<MemorySegment> out = new ArrayList<>();
        List<MemorySegment> in = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            byte[] bytes = new byte[1 + random.nextInt(40)];
            random.nextBytes(bytes);
            out.add(arena.allocateFrom(JAVA_BYTE, bytes));
            in.add(arena.allocate(bytes.length));
        }
        Buffers data = Buffers.of(out);

        long written = SYS.pwritev2(file, data, 4321, 0);
        long read = SYS.preadv2(file, Buffers.of(in), 4321, 0);

        assertEquals(data.size(), written);
        assertEquals(data.size(), read);
        assertArrayEquals(data.toBytes(), Buffers.of(in).toBytes());
        assertEquals(4321 + data.size(), Files.size(temp.resolve("file")));
    }

    /// A short answer ends a request, however many parts are left: what follows would not belong
    /// where it would be put.
    ///
    /// Caught: `inTurns` that goes on after a short call.
    @Test
    void theEndOfTheFileEndsTheRead() throws Exception {
        List<String> calls = new ArrayList<>();
        InvocationHandler counting = (_, method, arguments) -> {
            calls.add(method.getName());
            return method.invoke(HostKernel.LIBC, arguments);
        };
        Class<?>[] libc = {Libc.class};
        Syscalls sys = new Syscalls((Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), libc, counting));
        SYS.pwritev2(file, Buffers.of(text("hello")), 0, 0);
        List<MemorySegment> in = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            in.add(arena.allocate(1));
        }

        assertEquals(5, sys.preadv2(file, Buffers.of(in), 0, 0));
        assertEquals(0, sys.preadv2(file, Buffers.of(in), 5, 0));
        assertEquals(0, sys.preadv2(file, Buffers.EMPTY, 0, 0));

        assertEquals(List.of("preadv2", "preadv2", "preadv2"), calls);
    }

    /// With `RWF_APPEND` the offset does not count. Caught: flags not passed on.
    @Test
    void appendingGoesToTheEnd() throws Exception {
        SYS.pwritev2(file, Buffers.of(text("hello")), 0, 0);

        SYS.pwritev2(file, Buffers.of(text(" world")), 0, Fcntl.RWF_APPEND);

        assertEquals("hello world", Files.readString(temp.resolve("file")));
    }

    /// An array has no address that the kernel could use. Caught: `iovecs` without its check, which
    /// reads from address 0.
    @Test
    void memoryOnTheJavaHeapIsRefused() {
        Buffers heap = Buffers.ofBytes(new byte[10]);

        assertThrows(IllegalArgumentException.class, () -> SYS.pwritev2(file, heap, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> SYS.preadv2(file, heap, 0, 0));
    }

    /// Six arguments: the last one, the flags, has to be 0. Caught: `Libc.copy_file_range` without
    /// its mark.
    @Test
    void rangesAreCopiedInTheKernel() throws Exception {
        SYS.pwritev2(file, Buffers.of(text("0123456789")), 0, 0);
        Fd copy = SYS.openat(dir, Name.of("copy"), Fcntl.O_RDWR | Fcntl.O_CREAT, 0644);

        long copied = SYS.copyFileRange(file, 2, copy, 3, 5);
        copy.close();

        assertEquals(5, copied);
        assertEquals("\0\0\00023456", Files.readString(temp.resolve("copy")));
    }

    /// Six arguments again: the last one says where in the file. Caught: `Libc.mmap` without its
    /// mark.
    @Test
    void aMappingShowsTheFileFromItsOffset() throws Exception {
        int page = SYS.pageSize();
        SYS.ftruncate(file, 3L * page);
        SYS.pwritev2(file, Buffers.of(text("here")), 2L * page, 0);

        MemorySegment mapping = SYS.mmap(file, 2L * page, page, Syscalls.PROT_READ, Syscalls.MAP_SHARED);
        String seen = mapping.getString(0);
        SYS.munmap(mapping);

        assertEquals("here", seen);
    }

    /// Space, holes and size. Caught: offset and length of `fallocate` exchanged.
    @Test
    void spaceIsAllocatedAndFreed() throws Exception {
        SYS.fallocate(file, 0, 0, 1 << 20);
        assertEquals(1 << 20, Files.size(temp.resolve("file")));

        SYS.fallocate(file, Fcntl.FALLOC_FL_PUNCH_HOLE | Fcntl.FALLOC_FL_KEEP_SIZE, 0, 1 << 19);
        SYS.ftruncate(file, 1 << 20);
        SYS.pwritev2(file, Buffers.of(text("x")), 1 << 19, 0);

        assertEquals(1 << 19, SYS.lseek(file, 0, Fcntl.SEEK_DATA));
        assertEquals(0, SYS.lseek(file, 0, Fcntl.SEEK_HOLE));
        SYS.fsync(file);
        SYS.fdatasync(file);
        SYS.syncfs(file);
    }

    /// A file that was opened to be looked at only can be opened once more to be read, though its
    /// name is gone.
    @Test
    void aReferenceIsReopenedWithoutItsName() throws Exception {
        SYS.pwritev2(file, Buffers.of(text("kept")), 0, 0);
        Fd reference = HostKernel.reference(dir, "file");
        SYS.unlinkat(dir, Name.of("file"), 0);
        MemorySegment into = arena.allocate(10);

        assertErrno(Errno.EBADF, () -> SYS.preadv2(reference, Buffers.of(into), 0, 0));
        Fd reopened = SYS.reopen(reference, Fcntl.O_RDONLY);

        assertEquals(4, SYS.preadv2(reopened, Buffers.of(into), 0, 0));
        assertEquals("kept", into.getString(0));
        reopened.close();
        reference.close();
        assertErrno(Errno.ENOENT, () -> SYS.reopen(reference, Fcntl.O_RDONLY));
    }

    /// FLUSH closes a copy to learn of late errors; the file itself stays open.
    @Test
    void closingACopyLeavesTheOriginal() throws Exception {
        Fd copy = SYS.dup(file);

        SYS.close(copy);
        SYS.close(copy);

        assertEquals(2, SYS.pwritev2(file, Buffers.of(text("ok")), 0, 0));
    }

    private MemorySegment text(String text) {
        return arena.allocateFrom(text).asSlice(0, text.length());
    }
}
