package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;

/// File systems that are mounted inside the share.
class SubmountTest {

    /// One directory that is bind-mounted at two places, and a file system inside at only one of
    /// them: two different trees. The mount is marked, and its `..` is not.
    ///
    /// Field report: virtiofsd 293d9a8.
    ///
    /// Caught: inodes told apart by device and inode number alone.
    @Test
    void theMountBelongsToTheIdentityOfAFile(@TempDir Path share) throws Exception {
        Needs.root();
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
