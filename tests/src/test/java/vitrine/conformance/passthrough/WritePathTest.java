package vitrine.conformance.passthrough;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.fuse.FileRequest;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.WritePath;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;

/// Three ways for a guest's data into a file: the host's kernel gathers it, it is copied together
/// before, or each piece goes by itself. They differ in what they cost, and in nothing else.
class WritePathTest {

    private static final int MEGABYTE = 1 << 20;
    private static final int PAGE = 4096;

    @TempDir
    private Path share;

    private final Random random = new Random(1);
    private final byte[] bytes = new byte[MEGABYTE + 1];

    /// A guest, and a file that it has open.
    private record Writer(Guest guest, long node, long fh) implements AutoCloseable {

        static Writer of(Path share, WritePath path) throws Exception {
            Files.createFile(share.resolve("f"));
            Guest guest = new Guest(share, PassthroughOptions.DEFAULT.withWritePath(path));
            guest.mkdir(Guest.ROOT, "warm", 0755); // the thread has found out who it is
            long node = guest.node("f");
            return new Writer(guest, node, guest.open(node, Fcntl.O_RDWR));
        }

        int write(Buffers data, long offset, int flags) throws Exception {
            WriteIn in = new WriteIn(fh, offset, (int) data.size(), 0, 0, flags);
            return guest.struct(WriteOut.class, new FileRequest.Write(guest.header(node), in, data))
                    .size();
        }

        @Override
        public void close() {
            guest.close();
        }
    }

    /// The first `size` bytes, in pieces that lie in any order.
    private Buffers pieces(int size, int largest) {
        random.nextBytes(bytes);
        List<Integer> cuts = new ArrayList<>(List.of(0));
        while (cuts.getLast() < size) {
            cuts.add(Math.min(size, cuts.getLast() + 1 + random.nextInt(largest)));
        }
        MemorySegment[] pieces = new MemorySegment[cuts.size() - 1];
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < pieces.length; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        MemorySegment memory = Arena.ofAuto().allocate(size);
        long at = 0;
        for (int i : order) {
            int length = cuts.get(i + 1) - cuts.get(i);
            pieces[i] = memory.asSlice(at, length);
            MemorySegment.copy(MemorySegment.ofArray(bytes), cuts.get(i), pieces[i], 0, length);
            at += length;
        }
        return Buffers.of(pieces);
    }

    /// Caught: a copy that begins at each piece anew; `offset` or `flags` left out.
    @ParameterizedTest
    @EnumSource
    void theFileHasTheGuestsBytesInTheirOrder(WritePath path) throws Exception {
        try (Writer writer = Writer.of(share, path)) {
            for (int size : new int[] {1, 300, 3 * PAGE + 1, MEGABYTE}) {
                Buffers data = pieces(size, Math.max(1, size / 100));

                assertEquals(size, writer.write(data, 1000, 0));
                assertEquals(size, writer.write(data, 5, Fcntl.O_APPEND));

                byte[] file = Files.readAllBytes(share.resolve("f"));
                byte[] written = Arrays.copyOf(bytes, size);
                assertArrayEquals(written, Arrays.copyOfRange(file, 1000, 1000 + size));
                assertArrayEquals(written, Arrays.copyOfRange(file, file.length - size, file.length));
            }
        }
    }

    /// One system call each, whatever the number of pieces: the kernel gets all of them, or one;
    /// and that one is the same for each request.
    ///
    /// Caught: both paths exchanged; memory for each request.
    @Test
    void theKernelGetsAllPiecesOrOne() throws Exception {
        assertEquals(List.of(256, 256, 256), kernelGets(WritePath.GATHERED, 3));
        Files.delete(share.resolve("f"));
        Files.delete(share.resolve("warm"));
        assertEquals(List.of(1, 1, 1), kernelGets(WritePath.BOUNCED, 1));
    }

    /// A system call for each piece, each behind the one before; and what follows a short one stays
    /// unwritten, for otherwise there would be a hole.
    ///
    /// Caught: all pieces at the request's offset; a short piece that is passed over.
    @Test
    void pieceByPieceEndsWithTheFirstThatIsShort() throws Exception {
        List<Long> offsets = new ArrayList<>();
        try (Writer writer = Writer.of(share, WritePath.PIECEWISE)) {
            writer.guest.libc.standIn("pwritev2", call -> {
                offsets.add((long) call[3]);
                return offsets.size() == 3 ? PAGE / 2 : PAGE;
            });

            assertEquals(2 * PAGE + PAGE / 2, writer.write(pages(), 1000, 0));
        }
        assertEquals(List.of(1000L, 1000L + PAGE, 1000L + 2 * PAGE), offsets);
    }

    /// @param places in how many places the data of three requests is to lie
    /// @return how many pieces the kernel got for each
    @SuppressWarnings("restricted") // looks at what the kernel is given
    private List<Integer> kernelGets(WritePath path, int places) throws Exception {
        List<Integer> pieces = new ArrayList<>();
        List<Long> addresses = new ArrayList<>();
        try (Writer writer = Writer.of(share, path)) {
            writer.guest.libc.standIn("pwritev2", call -> {
                MemorySegment iovec = MemorySegment.ofAddress((long) call[1]).reinterpret(16);
                addresses.add(iovec.get(JAVA_LONG, 0));
                pieces.add((int) call[2]);
                return MEGABYTE;
            });
            List<Buffers> requests = List.of(pages(), pages(), pages());
            for (Buffers data : requests) {
                assertEquals(List.of("pwritev2"), writer.guest.libc.during(() -> writer.write(data, 0, 0)));
            }
        }
        assertEquals(places, addresses.stream().distinct().count());
        return pieces;
    }

    private static Buffers pages() {
        MemorySegment memory = Arena.ofAuto().allocate(2L * MEGABYTE);
        List<MemorySegment> pages = new ArrayList<>();
        for (long at = 0; at < memory.byteSize(); at += 2 * PAGE) {
            pages.add(memory.asSlice(at, PAGE));
        }
        return Buffers.of(pages);
    }

    /// A guest that sends more than was agreed in INIT (`max_write`) is written for as far as there
    /// is room to copy, and told so.
    ///
    /// Caught: the data not cut (an exception, and EIO).
    @Test
    void whatDoesNotFitIntoTheCopyIsAShortWrite() throws Exception {
        try (Writer writer = Writer.of(share, WritePath.BOUNCED)) {
            assertEquals(MEGABYTE, writer.write(pieces(MEGABYTE + 1, PAGE), 0, 0));

            assertArrayEquals(Arrays.copyOf(bytes, MEGABYTE), Files.readAllBytes(share.resolve("f")));
        }
    }
}
