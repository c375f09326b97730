package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.struct.Dirent;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.FsyncIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.wire.Buffers;

/// READDIR and READDIRPLUS: every name once, nothing counted that was not seen.
class DirectoryListingTest extends SharedFolder {

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT);
    }

    private Set<String> files(int count) throws Exception {
        Set<String> names = new HashSet<>(Set.of(".", ".."));
        for (int i = 0; i < count; i++) {
            String name = "x".repeat(i % 200) + i;
            Files.writeString(share.resolve(name), "");
            names.add(name);
        }
        return names;
    }

    private List<Dirent> readAll(long node, int size) throws Exception {
        long fh = guest.opendir(node);
        List<Dirent> all = new ArrayList<>();
        long offset = 0;
        while (true) {
            List<Dirent> some = guest.readdir(node, fh, offset, size);
            if (some.isEmpty()) {
                return all;
            }
            all.addAll(some);
            offset = some.getLast().off();
        }
    }

    private List<Direntplus> readAllPlus(long node, int size) throws Exception {
        long fh = guest.opendir(node);
        List<Direntplus> all = new ArrayList<>();
        long offset = 0;
        while (true) {
            List<Direntplus> some = guest.readdirplus(node, fh, offset, size);
            if (some.isEmpty()) {
                return all;
            }
            all.addAll(some);
            offset = some.getLast().dirent().off();
        }
    }

    private static Set<String> names(List<Dirent> entries) {
        Set<String> names = new HashSet<>();
        entries.forEach(entry -> assertTrue(names.add(entry.name().toString()), "twice: " + entry.name()));
        return names;
    }

    /// Whatever the size of the buffer, every name comes exactly once, with the inode number that
    /// LOOKUP gives (none of 0: programs take such an entry for deleted).
    ///
    /// Field reports: fuse-backend-rs #140, libfuse #1372.
    ///
    /// Caught: going on where the host's descriptor stands after an entry did not fit.
    @ParameterizedTest
    @ValueSource(ints = {280, 1000, 4096, 32768, 1 << 20})
    void everyNameComesOnce(int size) throws Exception {
        Set<String> expected = files(300);
        Files.createDirectory(share.resolve("d"));
        expected.add("d");

        List<Dirent> entries = readAll(Guest.ROOT, size);

        assertEquals(expected, names(entries));
        for (Dirent entry : entries) {
            assertEquals(
                    guest.lookup(Guest.ROOT, entry.name().toString()).attr().ino(), entry.ino());
        }
    }

    /// The same with READDIRPLUS: each entry but the dots is looked up, as if by LOOKUP.
    ///
    /// Caught: `.` and `..` counted.
    @ParameterizedTest
    @ValueSource(ints = {408, 1000, 4096, 1 << 20})
    void everyNameComesOnceAndLookedUp(int size) throws Exception {
        Set<String> expected = files(200);

        List<Direntplus> entries = readAllPlus(Guest.ROOT, size);

        assertEquals(expected, names(entries.stream().map(Direntplus::dirent).toList()));
        for (Direntplus entry : entries) {
            String name = entry.dirent().name().toString();
            if (name.equals(".") || name.equals("..")) {
                assertEquals(0, entry.entry().nodeid());
            } else {
                assertEquals(entry.entry(), guest.lookup(Guest.ROOT, name));
                assertEquals(entry.dirent().ino(), entry.entry().attr().ino());
            }
        }
    }

    /// Exactly the entries that the guest has seen count: after as many FORGETs no nodeid is left.
    ///
    /// Field report: fuse-backend-rs #9.
    ///
    /// Caught: an entry looked up before it is known whether it fits, and its reference kept.
    @Test
    void anEntryThatDidNotFitDoesNotCount() throws Exception {
        files(200);
        long before = descriptors();

        Map<Long, Integer> seen = new HashMap<>();
        for (Direntplus entry : readAllPlus(Guest.ROOT, 1000)) {
            seen.merge(entry.entry().nodeid(), 1, Integer::sum);
        }
        seen.remove(0L);
        assertEquals(200, seen.size());
        assertEquals(before + 200 + 1, descriptors()); // and the open directory
        for (Map.Entry<Long, Integer> entry : seen.entrySet()) {
            guest.forget(entry.getKey(), entry.getValue());
        }

        assertEquals(before + 1, descriptors());
    }

    private static long descriptors() throws Exception {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    /// No room for one entry is an error: an empty answer would be the end of the directory.
    ///
    /// Field report: probe: buffer for no entry.
    ///
    /// Caught: the empty answer, as the production daemons give it.
    @Test
    void aBufferTooSmallForOneEntryIsAnError() throws Exception {
        files(1);
        long fh = guest.opendir(Guest.ROOT);

        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.readdir(Guest.ROOT, fh, 0, 24)));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.readdirplus(Guest.ROOT, fh, 0, 152)));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.readdir(Guest.ROOT, fh, 0, 0)));
        assertEquals(3, guest.readdir(Guest.ROOT, fh, 0, 4096).size());
        long end = guest.readdir(Guest.ROOT, fh, 0, 4096).getLast().off();
        assertEquals(0, guest.readdir(Guest.ROOT, fh, end, 4096).size());
    }

    /// An entry that cannot be looked up is listed all the same, without a nodeid.
    ///
    /// Caught: the batch ended there; the entry left out.
    @Test
    void anEntryWhoseLookupFailsIsListed() throws Exception {
        Set<String> expected = files(20);
        guest.lookup(Guest.ROOT, "0"); // known already
        long fh = guest.opendir(Guest.ROOT);
        guest.libc.fail("openat", Errno.EMFILE);

        List<Direntplus> entries = guest.readdirplus(Guest.ROOT, fh, 0, 1 << 16);

        assertEquals(expected, names(entries.stream().map(Direntplus::dirent).toList()));
        for (Direntplus entry : entries) {
            boolean known = entry.dirent().name().toString().equals("0");
            assertEquals(
                    known, entry.entry().nodeid() != 0, entry.dirent().name().toString());
            assertNotEquals(0, entry.dirent().ino());
        }
    }

    /// An entry can be cut at any place by the guest's pieces.
    @Test
    void entriesFillTheGuestsPieces() throws Exception {
        Set<String> expected = files(10);
        long fh = guest.opendir(Guest.ROOT);
        java.lang.foreign.MemorySegment[] pieces = new java.lang.foreign.MemorySegment[600];
        java.util.Arrays.setAll(pieces, i -> Guest.memory(i % 7 + 1));
        Buffers into = Buffers.of(pieces);
        ReadIn in = new ReadIn(fh, 0, (int) into.size(), 0, 0, 0);

        var reply = guest.ask(new DirectoryRequest.Readdir(guest.header(Guest.ROOT), in, into));

        assertEquals(expected, names(Dirent.decodeAll(new vitrine.wire.WireReader(into.slice(0, reply.size())))));
    }

    /// rewinddir(3), seekdir(3), and two readers of one handle: the offset decides, not what came
    /// before.
    @Test
    void theOffsetDecidesWhereItGoesOn() throws Exception {
        files(50);
        long fh = guest.opendir(Guest.ROOT);
        List<Dirent> first = guest.readdir(Guest.ROOT, fh, 0, 2000);
        List<Dirent> second = guest.readdir(Guest.ROOT, fh, first.getLast().off(), 2000);

        assertEquals(second, guest.readdir(Guest.ROOT, fh, first.getLast().off(), 2000));
        assertEquals(first, guest.readdir(Guest.ROOT, fh, 0, 2000));
        assertEquals(
                first.subList(1, first.size()),
                guest.readdir(Guest.ROOT, fh, first.getFirst().off(), 2000).subList(0, first.size() - 1));
    }

    /// getdents(2) of a directory that was removed while open is ENOENT, which readdir(3) takes for
    /// the end; a READDIR is the same.
    ///
    /// Caught: ESTALE, of which readdir(3) makes an error.
    @Test
    void aRemovedDirectoryEndsAsOnTheHost() throws Exception {
        Files.createDirectory(share.resolve("d"));
        long node = guest.node("d");
        long fh = guest.opendir(node);
        Files.delete(share.resolve("d"));

        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.readdir(node, fh, 0, 4096)));
        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.readdirplus(node, fh, 0, 4096)));
    }

    /// fsync(2) on a directory.
    @Test
    void aDirectoryCanBeMadeDurable() throws Exception {
        long fh = guest.opendir(Guest.ROOT);

        assertEquals(0, guest.errno(new DirectoryRequest.Fsyncdir(guest.header(Guest.ROOT), new FsyncIn(fh, 0))));
        assertEquals(
                Errno.EBADF,
                guest.errno(new DirectoryRequest.Fsyncdir(guest.header(Guest.ROOT), new FsyncIn(fh + 1, 1))));
    }
}
