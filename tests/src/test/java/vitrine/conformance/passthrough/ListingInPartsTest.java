package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.struct.Dirent;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;

/// The host gives more entries at once than the guest has room for. What is over is passed on with
/// the next request, if it still may be.
class ListingInPartsTest extends SharedFolder {

    private static final int PART = 1000; // bytes of a reply: some thirty entries
    private static final int FILES = 300;

    @BeforeEach
    void serve() throws Exception {
        for (String directory : List.of("d", "e")) {
            Files.createDirectory(share.resolve(directory));
            for (int i = 0; i < FILES; i++) {
                Files.createFile(share.resolve(directory).resolve("f" + i));
            }
        }
        guest = new Guest(share, PassthroughOptions.DEFAULT);
    }

    /// An open directory, read part by part; of each entry its name and inode number.
    private final class Reader {
        private final long node;
        private final long fh;
        private long offset;
        private final List<String> names = new ArrayList<>();

        Reader(String directory) throws Exception {
            node = guest.node(directory);
            fh = guest.opendir(node);
        }

        /// @return false at the end
        boolean next() throws Exception {
            return next(PART);
        }

        boolean next(int room) throws Exception {
            List<Dirent> part = guest.readdir(node, fh, offset, room);
            for (Dirent entry : part) {
                names.add(entry.name() + " " + entry.ino());
                offset = entry.off();
            }
            return !part.isEmpty();
        }

        /// rewinddir(3).
        void rewind() {
            offset = 0;
            names.clear();
        }

        Set<String> rest() throws Exception {
            while (next()) {
                // more
            }
            Set<String> all = new HashSet<>(names);
            assertEquals(names.size(), all.size(), "a name came twice");
            return all;
        }
    }

    private Set<String> expected(String directory) throws Exception {
        Set<String> names = new HashSet<>();
        Path path = share.resolve(directory);
        names.add(". " + Files.getAttribute(path, "unix:ino"));
        names.add(".. " + Files.getAttribute(share, "unix:ino"));
        try (var files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                names.add(file.getFileName() + " " + Files.getAttribute(file, "unix:ino"));
            }
        }
        return names;
    }

    /// Whatever room there is for a part, and whatever is removed between two of them: what stays
    /// is there once.
    ///
    /// Caught: an entry passed for which there was no room, by who does not ask for the mark
    /// either.
    @Test
    void anyRoomWillDoAndNamesMayGoMeanwhile() throws Exception {
        for (int seed = 0; seed < 6; seed++) {
            Random random = new Random(seed);
            Reader reader = new Reader(seed % 2 == 0 ? "d" : "e");
            Path directory = share.resolve(seed % 2 == 0 ? "d" : "e");
            Set<String> gone = new HashSet<>();
            int room;
            do {
                room = 40 + random.nextInt(random.nextBoolean() ? 100 : 5000);
                Path removed = directory.resolve("f" + random.nextInt(FILES));
                if (random.nextInt(4) == 0 && Files.deleteIfExists(removed)) {
                    gone.add(removed.getFileName().toString());
                }
            } while (reader.next(room));

            Set<String> listed = new HashSet<>(reader.names);
            assertEquals(reader.names.size(), listed.size(), "a name came twice");
            assertTrue(listed.containsAll(expected(directory.getFileName().toString())), "a name is missing");
            listed.removeAll(expected(directory.getFileName().toString()));
            assertTrue(listed.stream().allMatch(name -> gone.contains(name.split(" ")[0])), listed::toString);
        }
    }

    /// The host is asked once for what it gives at once, and never for the same again.
    ///
    /// Caught: `at < end` not asked (`lseek`, `getdents64` for each part).
    @Test
    void theHostIsAskedOnceForManyParts() throws Exception {
        Reader reader = new Reader("d");

        List<String> calls =
                guest.libc.during(() -> assertEquals(FILES + 2, reader.rest().size()));

        assertEquals(List.of("getdents64", "getdents64"), calls); // the second is the end
    }

    /// Two directories read in turns give each their own, though the names in them are the same,
    /// and with them the marks.
    ///
    /// Caught: `directory == wanted` not asked.
    @Test
    void directoriesThatAreReadInTurnsGiveTheirOwnEntries() throws Exception {
        Reader one = new Reader("d");
        Reader other = new Reader("e");
        while (one.next() | other.next()) {
            // both to their end
        }

        assertEquals(expected("d"), one.rest());
        assertEquals(expected("e"), other.rest());
    }

    /// A part that was read twice, or a part left out, goes by the offset as ever.
    ///
    /// Caught: `mark == offset` not asked.
    @Test
    void theOffsetDecides() throws Exception {
        Reader reader = new Reader("d");
        reader.next();
        long second = reader.offset;
        reader.next();
        List<String> twice = List.copyOf(reader.names);
        reader.offset = second;
        reader.names.subList(twice.size() / 2, twice.size()).clear();
        reader.next();

        assertEquals(twice, reader.names);
    }

    /// readdir(3): what was made or removed before rewinddir(3) is seen, or not, as it is. Also if
    /// another queue serves the requests after it, and then this one again.
    ///
    /// Caught: `isReadBy` not asked.
    @Test
    void whoGoesBackSeesTheDirectoryAsItIs() throws Exception {
        Reader scout = new Reader("d");
        scout.rest();
        Reader reader = new Reader("d");
        reader.next();
        // all but the next one, for its mark is where this queue has more
        List<String> gone = scout.names.subList(reader.names.size() + 1, scout.names.size());
        for (String entry : gone) {
            if (!entry.startsWith(".")) {
                Files.delete(share.resolve("d").resolve(entry.split(" ")[0]));
            }
        }
        reader.rewind();

        try (var otherQueue =
                Executors.newSingleThreadExecutor(Thread.ofPlatform().factory())) {
            assertTrue(otherQueue.submit(() -> reader.next()).get());
        }
        assertEquals(expected("d"), reader.rest());
    }

    /// What was read before an error is not taken for what comes after it.
    ///
    /// Caught: `directory = null` removed.
    @Test
    void afterAnErrorTheHostIsAskedAgain() throws Exception {
        Reader reader = new Reader("d");
        reader.next();
        long second = reader.offset;
        reader.rewind();
        guest.libc.fail("getdents64", Errno.EIO);
        assertEquals(Errno.EIO, Guest.errnoOf(reader::next));
        guest.libc.failNothing();
        reader.offset = second;

        assertEquals(List.of("lseek", "getdents64"), guest.libc.during(reader::next));
    }
}
