package vitrine.conformance.passthrough;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// Which file a nodeid stands for, when the host gives names and inode numbers to others.
class FileIdentityTest {

    private static final int FILES = 100;
    private static final int INO = 32; // in struct statx
    private static final int BIRTH_NANOS = 88;

    @TempDir
    Path temporary;

    private Path share;
    private Mounted ext4;

    @BeforeEach
    void mount() throws Exception {
        Needs.root();
        share = Files.createDirectory(temporary.resolve("share"));
        ext4 = Mounted.ext4(share);
    }

    @AfterEach
    void unmount() throws Exception {
        if (ext4 != null) {
            ext4.close();
        }
    }

    private static PassthroughOptions with(FileHandleUse use) {
        return PassthroughOptions.DEFAULT.withFileHandles(use);
    }

    /// ext4 gives the inode number of a deleted file to the next one that is made; before Linux
    /// 6.13 it may have the time of birth as well, if it is made within the same four milliseconds,
    /// or here within a second. Yet each file is another nodeid, and the old ones are stale.
    ///
    /// Caught: a file whose handle is kept, found by its `FileKey` and time of birth alone.
    @Test
    void anInodeNumberThatIsUsedAgainIsAnotherFile() throws Exception {
        try (Guest guest = new Guest(share, with(FileHandleUse.MANDATORY))) {
            Set<Long> nodeids = new HashSet<>();
            Set<Long> numbers = new HashSet<>();
            guest.libc.afterStatx(statx -> statx.set(JAVA_INT, BIRTH_NANOS, 0));
            for (int i = 0; i < 10 * FILES; i++) {
                EntryOut entry = guest.mknod(Guest.ROOT, "f", Stat.S_IFREG | 0600, 0);
                assertTrue(nodeids.add(entry.nodeid()), "file " + i + " was taken for an older one");
                assertEquals(entry.nodeid(), guest.node("f"));
                numbers.add(entry.attr().ino());
                guest.unlink(Guest.ROOT, "f");

                assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(entry.nodeid())));
                assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.open(entry.nodeid(), 0)));
            }
            assertTrue(numbers.size() < FILES, numbers.size() + " inode numbers");
        }
    }

    /// A file that is deleted on the host while the guest knows it stays what it is. Its number is
    /// not used again before it is forgotten, so that no other file is taken for it.
    ///
    /// Caught: `MANDATORY` taken for the other two (ESTALE).
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANDATORY")
    void aDeletedFileIsUsableAsLongAsItIsKnown(FileHandleUse use) throws Exception {
        try (Guest guest = new Guest(share, with(use))) {
            long[] nodeids = new long[FILES];
            for (int i = 0; i < FILES; i++) {
                Files.writeString(share.resolve("f"), "" + i);
                nodeids[i] = guest.node("f");
                Files.delete(share.resolve("f"));
            }

            Set<Long> numbers = new HashSet<>();
            for (int i = 0; i < FILES; i++) {
                assertTrue(numbers.add(guest.getattr(nodeids[i]).ino()));
                assertEquals(0, guest.getattr(nodeids[i]).nlink());
                long fh = guest.open(nodeids[i], Fcntl.O_RDWR);
                assertEquals("" + i, new String(guest.read(nodeids[i], fh, 0, 10)));
            }
        }
    }

    /// The number of a deleted file is free at once, its space too; an open file stays whole.
    ///
    /// Caught: an `OpenFile` that does not hold its inode.
    @Test
    void withHandlesOnlyWhatIsOpenIsKept() throws Exception {
        try (Guest guest = new Guest(share, with(FileHandleUse.MANDATORY))) {
            Files.writeString(share.resolve("open"), "open");
            Files.writeString(share.resolve("known"), "known");
            long open = guest.node("open");
            long known = guest.node("known");
            long fh = guest.open(open, Fcntl.O_RDWR);
            Files.delete(share.resolve("open"));
            Files.delete(share.resolve("known"));
            Files.writeString(share.resolve("other"), "other"); // may have the number of one of them

            assertEquals(0, guest.getattr(open).nlink());
            guest.setattr(open, Setattr.size(2));
            assertEquals("op", new String(guest.read(open, fh, 0, 10)));
            assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(known)));
            assertNotEquals(known, guest.node("other"));

            guest.release(open, fh);
            assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.setattr(open, Setattr.size(3))));
        }
    }

    /// With `MANDATORY` a file that is known and not open costs no descriptor, one for the mount
    /// aside; it is found by its nodeid wherever it was moved.
    ///
    /// Caught: `InodeTable.add` without `keepReference`, and with it for the root.
    @Test
    void withHandlesOnlyAKnownFileCostsNoDescriptor() throws Exception {
        Files.createDirectories(share.resolve("d/e"));
        for (int i = 0; i < FILES; i++) {
            Files.writeString(share.resolve("d/f" + i), "" + i);
        }
        try (Guest guest = new Guest(share, with(FileHandleUse.MANDATORY))) {
            long[] nodeids = new long[FILES];
            for (int i = 0; i < FILES; i++) {
                nodeids[i] = guest.node("d/f" + i);
                assertEquals(nodeids[i], guest.node("d/f" + i)); // known by its handle
            }
            assertEquals(2, Descriptors.under(share)); // the root, and for the mount

            Files.move(share.resolve("d"), share.resolve("moved"));
            for (int i = 0; i < FILES; i++) {
                long fh = guest.open(nodeids[i], 0);
                assertEquals("" + i, new String(guest.read(nodeids[i], fh, 0, 10)));
                guest.release(nodeids[i], fh);
            }
            assertEquals(Guest.ROOT, guest.lookup(guest.node("moved"), "..").nodeid());
            assertEquals(2, Descriptors.under(share));
        }
        assertEquals(0, Descriptors.under(share));
    }

    /// overlayfs copies a file when it is first written to. It stays the same file, by its number
    /// and to all who have it open, but shows a new time of birth: a guest for which it became
    /// another file would lose its locks, and the pages it has cached.
    ///
    /// Caught: the time of birth taken into the `FileKey`; a file taken for another if the births
    /// differ, without asking the descriptor.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANDATORY")
    void aFileIsTheSameAfterOverlayfsHasCopiedIt(FileHandleUse use) throws Exception {
        Files.writeString(share.resolve("f"), "old");
        Path over = Files.createDirectory(temporary.resolve("over"));
        Thread.sleep(20); // births of the copy and of its original differ
        try (Mounted _ = Mounted.overlay(share, over);
                Guest guest = new Guest(over, with(use))) {
            long node = guest.node("f");
            Object birth = Files.getAttribute(over.resolve("f"), "unix:creationTime");
            long fh = guest.open(node, Fcntl.O_RDWR);
            guest.write(node, fh, 0, "new");

            assertNotEquals(birth, Files.getAttribute(over.resolve("f"), "unix:creationTime"));
            assertEquals(node, guest.node("f"));
            assertEquals(node, guest.node("f"));
        }
    }

    /// A network file system may give the number of a file to another one although the daemon has a
    /// descriptor: on the server nobody holds it.
    ///
    /// Caught: an open file taken for the one that was found, whatever their births.
    @ParameterizedTest
    @EnumSource
    void anOpenFileIsNotTakenForALaterOneOfItsNumber(FileHandleUse use) throws Exception {
        Files.writeString(share.resolve("old"), "old");
        Thread.sleep(20); // births differ
        Files.writeString(share.resolve("new"), "newer");
        try (Guest guest = new Guest(share, with(use))) {
            EntryOut old = guest.lookup(Guest.ROOT, "old");
            long fh = guest.open(old.nodeid(), 0);
            long number = (Long) Files.getAttribute(share.resolve("new"), "unix:ino");
            guest.libc.afterStatx(statx -> {
                if (statx.get(JAVA_LONG, INO) == number) {
                    statx.set(JAVA_LONG, INO, old.attr().ino());
                }
            });

            EntryOut later = guest.lookup(Guest.ROOT, "new");

            assertEquals(old.attr().ino(), later.attr().ino());
            assertNotEquals(old.nodeid(), later.nodeid());
            assertEquals(5, guest.getattr(later.nodeid()).size());
            assertEquals(3, guest.getattr(old.nodeid()).size());
            assertEquals("old", new String(guest.read(old.nodeid(), fh, 0, 10)));
        }
    }

    /// Where there are no handles, or no right to use them, nobody is asked to start who insists on
    /// them; all others get descriptors.
    ///
    /// Caught: an error of the first handle ignored.
    @Test
    void handlesThatAreMandatoryMustBeThere() throws Exception {
        Path over = Files.createDirectory(temporary.resolve("over"));
        try (Mounted _ = Mounted.overlay(share, over)) {
            assertRefused(Errno.EOPNOTSUPP, over);
        }
        NotedLibc.SHARED.fail("open_by_handle_at", Errno.EPERM);
        try {
            assertRefused(Errno.EPERM, share);
            try (Guest guest = new Guest(share, with(FileHandleUse.PREFER))) {
                Files.writeString(share.resolve("f"), "");
                assertEquals(0, Guest.errnoOf(() -> guest.getattr(guest.node("f"))));
            }
        } finally {
            NotedLibc.SHARED.failNothing();
        }
    }

    private static void assertRefused(int errno, Path directory) throws Exception {
        ErrnoException refused =
                assertThrows(ErrnoException.class, () -> new Guest(directory, with(FileHandleUse.MANDATORY)));
        assertEquals(errno, refused.errno());
        assertTrue(refused.getMessage().contains("file handles"), refused.getMessage());
        assertEquals(0, Descriptors.under(directory));
    }
}
