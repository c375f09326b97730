package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;

/// File systems that are mounted inside the share.
class SubmountTest {

    @TempDir
    private Path share;

    @BeforeEach
    void needsRoot() {
        Needs.root();
    }

    /// One directory that is bind-mounted at two places, and a file system inside at only one of
    /// them: two different trees. The mount is marked, and its `..` is not.
    ///
    /// Field report: virtiofsd 293d9a8.
    ///
    /// Caught: inodes told apart by device and inode number alone.
    @Test
    void theMountBelongsToTheIdentityOfAFile() throws Exception {
        Files.createDirectories(share.resolve("d/x"));
        Files.createDirectory(share.resolve("e"));
        try {
            Needs.that(
                    mount("--bind", share.resolve("d"), share.resolve("e")), "needs mount(2), that is CAP_SYS_ADMIN");
            assertTrue(mount("-ttmpfs", Path.of("none"), share.resolve("d/x")));
            Files.writeString(share.resolve("d/x/file"), "");
            try (Guest guest = new Guest(share, PassthroughOptions.DEFAULT)) {
                EntryOut inD = guest.lookup(guest.node("d"), "x");
                EntryOut inE = guest.lookup(guest.node("e"), "x");
                EntryOut e = guest.lookup(Guest.ROOT, "e");
                EntryOut file = guest.lookup(inD.nodeid(), "file");

                assertNotEquals(inD.nodeid(), inE.nodeid());
                assertNotEquals(guest.node("d"), e.nodeid());
                assertTrue(inD.attr().has(AttrFlag.SUBMOUNT));
                assertTrue(e.attr().has(AttrFlag.SUBMOUNT));
                assertFalse(inE.attr().has(AttrFlag.SUBMOUNT));
                assertFalse(file.attr().has(AttrFlag.SUBMOUNT));
                EntryOut above = guest.lookup(inD.nodeid(), "..");
                assertEquals(guest.node("d"), above.nodeid());
                assertFalse(above.attr().has(AttrFlag.SUBMOUNT));
            }
            try (Guest guest = new Guest(share, PassthroughOptions.DEFAULT.with(Feature.ANNOUNCE_SUBMOUNTS, false))) {
                assertFalse(guest.lookup(Guest.ROOT, "e").attr().has(AttrFlag.SUBMOUNT));
            }
        } finally {
            unmount(share.resolve("d/x"));
            unmount(share.resolve("e"));
        }
    }

    /// The host mounts something over a directory that the guest knows: from now on the name is
    /// what was mounted, and the nodeid is the directory that it was.
    ///
    /// Caught: inodes told apart by their numbers alone (both roots of tmpfs have the same).
    @ParameterizedTest
    @EnumSource
    void whatIsMountedLaterIsAnotherDirectory(FileHandleUse use) throws Exception {
        try (Mounted _ = Mounted.tmpfs(share);
                Guest guest = new Guest(share, PassthroughOptions.DEFAULT.withFileHandles(use))) {
            Path directory = Files.createDirectory(share.resolve("d"));
            Files.writeString(directory.resolve("below"), "");
            EntryOut below = guest.lookup(Guest.ROOT, "d");
            try (Mounted _ = Mounted.tmpfs(directory)) {
                Files.writeString(directory.resolve("above"), "");

                EntryOut above = guest.lookup(Guest.ROOT, "d");

                assertNotEquals(below.nodeid(), above.nodeid());
                assertTrue(above.attr().has(AttrFlag.SUBMOUNT));
                assertEquals(0, errnoOfLookup(guest, above, "above"));
                assertEquals(Errno.ENOENT, errnoOfLookup(guest, above, "below"));
                assertEquals(below.attr().ino(), guest.getattr(below.nodeid()).ino());
                assertEquals(0, errnoOfLookup(guest, below, "below"));
                assertEquals(Errno.ENOENT, errnoOfLookup(guest, below, "above"));
            }
            assertEquals(below.nodeid(), guest.lookup(Guest.ROOT, "d").nodeid());
        }
    }

    /// The host takes away what was mounted, while the guest knows it and has a file of it open:
    /// the name is what lies beneath, a nodeid is what it was or ESTALE, and never another file.
    /// Nothing leads up out of what was taken away.
    ///
    /// Caught: ENOENT for a forgotten nodeid; a way up that ends where the host says so; inodes
    /// told apart by their numbers alone.
    @ParameterizedTest
    @EnumSource
    void whatIsUnmountedStaysWhatItWasOrIsStale(FileHandleUse use) throws Exception {
        try (Mounted _ = Mounted.tmpfs(share);
                Guest guest = new Guest(share, PassthroughOptions.DEFAULT.withFileHandles(use))) {
            Path directory = Files.createDirectory(share.resolve("d"));
            Files.writeString(directory.resolve("file"), "below");
            Mounted mounted = Mounted.tmpfs(directory);
            Files.writeString(directory.resolve("file"), "above");
            EntryOut above = guest.lookup(Guest.ROOT, "d");
            EntryOut file = guest.lookup(above.nodeid(), "file");
            long fh = guest.open(file.nodeid(), 0);

            mounted.close();

            EntryOut below = guest.lookup(Guest.ROOT, "d");
            assertNotEquals(above.nodeid(), below.nodeid());
            assertFalse(below.attr().has(AttrFlag.SUBMOUNT));
            assertNotEquals(file.nodeid(), guest.lookup(below.nodeid(), "file").nodeid());
            assertEquals("above", new String(guest.read(file.nodeid(), fh, 0, 10)));
            for (EntryOut old : List.of(above, file)) {
                int errno = Guest.errnoOf(() -> guest.getattr(old.nodeid()));
                assertTrue(errno == 0 || errno == Errno.ESTALE, Errno.name(errno));
                if (errno == 0) {
                    assertEquals(old.attr().ino(), guest.getattr(old.nodeid()).ino());
                }
            }
            int again = errnoOfLookup(guest, above, "file");
            assertTrue(again == Errno.ESTALE
                    || again == 0
                            && file.nodeid()
                                    == guest.lookup(above.nodeid(), "file").nodeid());
            assertEquals(Errno.ESTALE, errnoOfLookup(guest, above, ".."));

            guest.release(file.nodeid(), fh);
            guest.forget(file.nodeid(), 9);
            guest.forget(above.nodeid(), 9);
            assertEquals(Errno.ESTALE, errnoOfLookup(guest, above, "file"));
        }
    }

    private static int errnoOfLookup(Guest guest, EntryOut directory, String name) throws Exception {
        return Guest.errnoOf(() -> guest.lookup(directory.nodeid(), name));
    }

    private static boolean mount(String how, Path what, Path where) throws Exception {
        return new ProcessBuilder("mount", how, what.toString(), where.toString())
                        .start()
                        .waitFor()
                == 0;
    }

    private static void unmount(Path where) throws Exception {
        new ProcessBuilder("umount", "-l", where.toString()).start().waitFor();
    }
}
