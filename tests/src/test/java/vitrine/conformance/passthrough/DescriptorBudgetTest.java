package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FileRequest;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.FlushIn;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// A guest that knows and opens more than there are descriptors for.
class DescriptorBudgetTest {

    private static final int BUDGET = 50;
    private static final int FILES = 300;

    @TempDir
    Path temporary;

    private Path share;
    private Mounted tmpfs;

    @BeforeEach
    void mount() throws Exception {
        Needs.root();
        share = Files.createDirectory(temporary.resolve("share"));
        tmpfs = Mounted.tmpfs(share);
        for (int i = 0; i < FILES; i++) {
            Files.writeString(share.resolve("f" + i), "content " + i);
        }
    }

    @AfterEach
    void unmount() throws Exception {
        if (tmpfs != null) {
            tmpfs.close();
        }
    }

    private Guest guest(FileHandleUse use) throws Exception {
        return new Guest(share, PassthroughOptions.DEFAULT.withFileHandles(use).withDescriptors(BUDGET));
    }

    /// Without file handles there is an end: nothing is added any more, and nothing half done. What
    /// is there goes on working, and what the guest gives back it may have again.
    ///
    /// Caught: `isSpent` that says no; a creation that asks for room after it has made something;
    /// READDIRPLUS without the names that it cannot look up; a descriptor that is not counted off
    /// when it is closed.
    @Test
    void withoutHandlesNothingIsAddedAndWhatIsThereWorks() throws Exception {
        try (Guest guest = guest(FileHandleUse.NEVER)) {
            long open = guest.node("f0");
            long fh = guest.open(open, Fcntl.O_RDWR);
            List<Long> known = lookUpUntilThereIsEnough(guest);

            assertEquals(BUDGET - 4, known.size()); // the root, its mount, and a file that is open
            assertEquals(BUDGET, Descriptors.under(share));
            assertEquals(known.getFirst(), guest.node("f1"));
            assertEquals(9, guest.getattr(known.getFirst()).size());
            assertEquals(5, guest.setattr(known.getFirst(), Setattr.size(5)).size());
            assertEquals(3, guest.write(open, fh, 0, "new"));
            assertEquals("newtent 0", new String(guest.read(open, fh, 0, 10)));
            assertEquals(0, guest.errno(new FileRequest.Flush(guest.header(open), new FlushIn(fh, 0))));
            guest.unlink(Guest.ROOT, "f1");

            assertEquals(Errno.ENFILE, Guest.errnoOf(() -> guest.open(open, 0)));
            assertEquals(Errno.ENFILE, Guest.errnoOf(() -> guest.opendir(Guest.ROOT)));
            assertNothingIsMade(guest);

            known.subList(0, 10).forEach(nodeid -> forget(guest, nodeid));
            long directory = guest.opendir(Guest.ROOT);
            assertEquals(FILES - 1 + 2, listed(guest, directory));
            guest.release(Guest.ROOT, directory);
        }
        assertEquals(0, Descriptors.under(share));
    }

    private static void assertNothingIsMade(Guest guest) throws Exception {
        int create = Fcntl.O_CREAT | Fcntl.O_RDWR;
        assertEquals(Errno.ENFILE, Guest.errnoOf(() -> guest.mkdir(Guest.ROOT, "made", 0755)));
        assertEquals(Errno.ENFILE, Guest.errnoOf(() -> guest.mknod(Guest.ROOT, "made", Stat.S_IFREG, 0)));
        assertEquals(Errno.ENFILE, Guest.errnoOf(() -> guest.symlink(Guest.ROOT, "made", "to")));
        assertEquals(Errno.ENFILE, Guest.errnoOf(() -> guest.create(Guest.ROOT, "made", create, 0644, 0)));
        assertFalse(Files.exists(guest.directory.resolve("made"), java.nio.file.LinkOption.NOFOLLOW_LINKS));
    }

    /// With file handles, files that are not open give their descriptors up: there is no end to
    /// what the guest may know. Each is what it was.
    ///
    /// Caught: `giveOneUp` that never does; a descriptor given up without a reference kept instead.
    @Test
    void withHandlesThereIsNoEndToWhatIsKnown() throws Exception {
        try (Guest guest = guest(FileHandleUse.PREFER)) {
            long[] nodeids = new long[FILES];
            for (int i = 0; i < FILES; i++) {
                nodeids[i] = guest.node("f" + i);
                assertTrue(Descriptors.under(share) <= BUDGET);
            }
            for (int i = 0; i < FILES; i++) {
                assertEquals("content " + i, content(guest, nodeids[i]));
                assertEquals(nodeids[i], guest.node("f" + i));
            }
            long directory = guest.opendir(Guest.ROOT);
            assertEquals(FILES + 2, listed(guest, directory));
            assertTrue(Descriptors.under(share) <= BUDGET + 1); // one for the request that was the last
            for (int i = 0; i < FILES; i++) {
                guest.forget(nodeids[i], 2);
            }
            guest.release(Guest.ROOT, directory);
            assertEquals(2, Descriptors.under(share)); // the root, and for the mount
        }
    }

    /// What has no name any more keeps its descriptor, and so does what is open: nothing else would
    /// find it again.
    ///
    /// Caught: `ClockHand` that looks at neither names nor holders.
    @Test
    void whatCannotBeFoundAgainIsKept() throws Exception {
        try (Guest guest = guest(FileHandleUse.PREFER)) {
            long deleted = guest.node("f0");
            Files.delete(share.resolve("f0"));
            long open = guest.node("f1");
            long fh = guest.open(open, Fcntl.O_RDWR);
            for (int i = 2; i < FILES; i++) {
                guest.lookup(Guest.ROOT, "f" + i);
            }
            Files.delete(share.resolve("f1"));

            assertEquals(0, guest.getattr(deleted).nlink());
            assertEquals("content 0", content(guest, deleted));
            assertEquals(0, guest.getattr(open).nlink());
            assertEquals(4, guest.setattr(open, Setattr.size(4)).size());
            assertEquals("cont", new String(guest.read(open, fh, 0, 10)));
            guest.release(open, fh);
            assertEquals("cont", content(guest, open));
        }
    }

    /// Open files have an end in any case. What is not open makes room for them first.
    @ParameterizedTest
    @EnumSource(names = {"PREFER", "MANDATORY"})
    void openFilesHaveAnEnd(FileHandleUse use) throws Exception {
        try (Guest guest = guest(use)) {
            for (int i = 0; i < FILES; i++) {
                guest.lookup(Guest.ROOT, "f" + i);
            }
            List<long[]> open = new ArrayList<>();
            int errno = 0;
            while (errno == 0) {
                errno = Guest.errnoOf(() -> {
                    long node = guest.node("f" + open.size());
                    open.add(new long[] {node, guest.open(node, 0)});
                });
            }

            assertEquals(Errno.ENFILE, errno);
            assertTrue(open.size() >= BUDGET / 2 - 2, open.size() + " files"); // two descriptors each
            for (int i = 0; i < open.size(); i++) {
                byte[] read = guest.read(open.get(i)[0], open.get(i)[1], 0, 20);
                assertEquals("content " + i, new String(read));
                guest.release(open.get(i)[0], open.get(i)[1]);
            }
            assertEquals("content 200", content(guest, guest.node("f200")));
        }
    }

    /// The process may be short of descriptors before the guest's are spent. FLUSH, which is part
    /// of close(2), must not fail for that.
    ///
    /// Caught: FLUSH that passes on what `dup` says.
    @Test
    void flushNeedsNoDescriptor() throws Exception {
        try (Guest guest = guest(FileHandleUse.PREFER)) {
            long node = guest.node("f0");
            long fh = guest.open(node, Fcntl.O_RDWR);
            guest.libc.fail("fcntl", Errno.EMFILE);

            assertEquals(0, guest.errno(new FileRequest.Flush(guest.header(node), new FlushIn(fh, 0))));
        }
    }

    private static List<Long> lookUpUntilThereIsEnough(Guest guest) throws Exception {
        List<Long> known = new ArrayList<>();
        int errno = 0;
        while (errno == 0) {
            errno = Guest.errnoOf(() -> known.add(guest.node("f" + (known.size() + 1))));
        }
        assertEquals(Errno.ENFILE, errno);
        return known;
    }

    private static int listed(Guest guest, long directory) throws Exception {
        int names = 0;
        List<Direntplus> some;
        for (long offset = 0; !(some = guest.readdirplus(Guest.ROOT, directory, offset, 8192)).isEmpty(); ) {
            offset = some.getLast().dirent().off();
            names += some.size();
            some.stream()
                    .map(entry -> entry.entry().nodeid())
                    .filter(nodeid -> nodeid != 0)
                    .forEach(nodeid -> forget(guest, nodeid));
        }
        return names;
    }

    private static String content(Guest guest, long nodeid) throws Exception {
        long fh = guest.open(nodeid, 0);
        try {
            return new String(guest.read(nodeid, fh, 0, 20));
        } finally {
            guest.release(nodeid, fh);
        }
    }

    private static void forget(Guest guest, long nodeid) {
        try {
            guest.forget(nodeid, 1);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
