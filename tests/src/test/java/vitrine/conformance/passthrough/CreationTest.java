package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;

/// What is made belongs to who asked for it, and is made only where they may.
class CreationTest extends SharedFolder {

    private static final int CREATE = Fcntl.O_CREAT | Fcntl.O_RDWR;

    @BeforeEach
    void serve() throws Exception {
        Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
        serve(PassthroughOptions.DEFAULT);
    }

    /// All four ways to make something, as a user: owner, group, mode and type.
    ///
    /// Caught: making as the daemon; the host's umask taking bits away.
    @Test
    void whatIsMadeBelongsToTheCaller() throws Exception {
        guest.caller = new Caller(1000, 1001, java.util.List.of());

        Attr file = guest.create(Guest.ROOT, "file", CREATE, 0100666, 0).entry().attr();
        Attr directory = guest.mkdir(Guest.ROOT, "directory", 01777).attr();
        Attr fifo = guest.mknod(Guest.ROOT, "fifo", 0010622, 0).attr();
        Attr link = guest.symlink(Guest.ROOT, "link", "any/where").attr();

        for (Attr attr : new Attr[] {file, directory, fifo, link}) {
            assertEquals(1000, attr.uid());
            assertEquals(1001, attr.gid());
        }
        assertEquals(0100666, file.mode());
        assertEquals(041777, directory.mode());
        assertEquals(010622, fifo.mode());
        assertEquals(0120777, link.mode());
    }

    /// A device number goes through in both directions, up to 12 bits major and 20 bits minor.
    @Test
    void devicesKeepTheirNumbers() throws Exception {
        int rdev = 0xabc << 8 | 0xde | 0x123 << 20; // major 0xabc, minor 0x123de

        EntryOut device = guest.mknod(Guest.ROOT, "device", 0020600, rdev);

        assertEquals(rdev, device.attr().rdev());
        assertEquals(020600, device.attr().mode());
        assertEquals(0x123deL | 0xabcL << 32, deviceNumber("device"));
        guest.caller = Caller.USER;
        assertEquals(Errno.EPERM, Guest.errnoOf(() -> guest.mknod(Guest.ROOT, "no", 0020600, rdev)));
        assertEquals(0, Guest.errnoOf(() -> guest.mknod(Guest.ROOT, "whiteout", 0020000, 0)));
    }

    /// Major and minor as stat(1) tells them, the minor in the lower half.
    private long deviceNumber(String name) throws Exception {
        Process stat =
                new ProcessBuilder("stat", "-c", "%t %T", share.resolve(name).toString()).start();
        String[] numbers =
                new String(stat.getInputStream().readAllBytes()).trim().split(" ");
        return Long.parseLong(numbers[0], 16) << 32 | Long.parseLong(numbers[1], 16);
    }

    /// A supplementary group that may write counts if it comes along (fuse.h:
    /// FUSE_CREATE_SUPP_GROUP). And after a refusal the daemon is itself again.
    ///
    /// Field report: kata-containers #3703.
    ///
    /// Caught: groups of the extension ignored; groups left over from the request before; the
    /// thread left with the caller's identity.
    @Test
    void supplementaryGroupsDecideWhereTheUserMayNot() throws Exception {
        Path directory = Files.createDirectory(share.resolve("d"));
        chown(directory, 0, 2222);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
        long d = guest.node("d");

        guest.caller = Caller.USER.in(2222);
        EntryOut made = guest.create(d, "with", CREATE | Fcntl.O_EXCL, 0644, 0).entry();
        guest.caller = Caller.USER;
        int without = Guest.errnoOf(() -> guest.create(d, "without", CREATE, 0644, 0));

        assertEquals(1000, made.attr().gid());
        assertEquals(Errno.EACCES, without);
        assertEquals(made.nodeid(), guest.lookup(d, "with").nodeid()); // only the daemon may search d
        assertEquals(0, Guest.errnoOf(() -> guest.unlink(d, "with")));
    }

    /// A kernel before 6.3 cannot send them: then what its own check allowed is done.
    @Test
    void aGuestThatCannotSendGroupsIsTakenAtItsWord() throws Exception {
        Path directory = Files.createDirectory(share.resolve("d"));
        chown(directory, 0, 2222);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
        guest.init(37, Guest.without(InitFlag.CREATE_SUPP_GROUP));
        guest.caller = Caller.USER;
        long d = guest.node("d");

        Attr made = guest.create(d, "f", CREATE, 0644, 0).entry().attr();

        assertEquals(1000, made.uid());
        assertEquals(1000, made.gid());
    }

    /// CVE-2022-0358: in a set-group-ID directory of a group that the caller is not in, a new file
    /// does not get the set-group-ID bit. In one of theirs it does.
    ///
    /// Field report: CVE-2022-0358.
    ///
    /// Caught: the daemon's own groups kept while it is the caller.
    @Test
    void theSetGroupIdBitNeedsMembership() throws Exception {
        Path foreign = Files.createDirectory(share.resolve("foreign"));
        chown(foreign, 0, 0);
        chmod(foreign, 03777);
        Path own = Files.createDirectory(share.resolve("own"));
        chown(own, 0, 2222);
        chmod(own, 03777);

        guest.caller = Caller.USER;
        Attr inForeign = guest.create(guest.node("foreign"), "f", CREATE, 02755, 0)
                .entry()
                .attr();
        guest.caller = Caller.USER.in(2222);
        Attr inOwn =
                guest.create(guest.node("own"), "f", CREATE, 02755, 0).entry().attr();

        assertEquals(0100755, inForeign.mode());
        assertEquals(0, inForeign.gid());
        assertEquals(0102755, inOwn.mode());
        assertEquals(2222, inOwn.gid());
    }

    /// No file can belong to the ids -1; "no change" would make it root's.
    @Test
    void theIdsMinusOneOwnNothing() throws Exception {
        guest.caller = new Caller(-1, 1000, java.util.List.of());
        assertEquals(Errno.EOVERFLOW, Guest.errnoOf(() -> guest.mkdir(Guest.ROOT, "d", 0755)));
        guest.caller = new Caller(1000, -1, java.util.List.of());
        assertEquals(Errno.EOVERFLOW, Guest.errnoOf(() -> guest.mkdir(Guest.ROOT, "d", 0755)));
        assertTrue(Files.notExists(share.resolve("d")));
    }

    /// CREATE of a name that exists: with O_EXCL never; without, only a regular file, and only one
    /// that the caller may open. The guest's kernel thought there was none, so it has not checked.
    /// What is not for the daemon to open, the guest's kernel finds when it looks once more.
    ///
    /// Caught: an existing file opened as the daemon; a FIFO opened (the test would hang).
    @Test
    void createOpensAnExistingFileOnlyIfTheCallerMay() throws Exception {
        Files.writeString(share.resolve("mine"), "old");
        chown(share.resolve("mine"), 1000, 1000);
        Files.writeString(share.resolve("roots"), "secret");
        chmod(share.resolve("roots"), 0600);
        guest.mknod(Guest.ROOT, "fifo", 0010666, 0);
        Files.createSymbolicLink(share.resolve("link"), Path.of("mine"));
        Files.createDirectory(share.resolve("directory"));
        guest.caller = Caller.USER;

        assertEquals(Errno.EEXIST, Guest.errnoOf(() -> guest.create(1, "mine", CREATE | Fcntl.O_EXCL, 0644, 0)));
        assertEquals(Errno.EACCES, Guest.errnoOf(() -> guest.create(1, "roots", CREATE, 0644, 0)));
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.create(1, "fifo", CREATE, 0644, 0)));
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.create(1, "link", CREATE, 0644, 0)));
        assertEquals(Errno.EISDIR, Guest.errnoOf(() -> guest.create(1, "directory", CREATE, 0644, 0)));
        Guest.Created mine = guest.create(1, "mine", CREATE, 0600, 0);
        assertArrayEquals(
                "old".getBytes(), guest.read(mine.entry().nodeid(), mine.open().fh(), 0, 10));
        assertEquals(
                0,
                guest.create(1, "mine", CREATE | Fcntl.O_TRUNC, 0600, 0)
                        .entry()
                        .attr()
                        .size());
        assertEquals(0, guest.getattr(mine.entry().nodeid()).size());
    }

    /// A name for a file that is there already is the same nodeid with one more link.
    @Test
    void linkAddsANameToTheSameNodeid() throws Exception {
        Files.writeString(share.resolve("a"), "");
        long node = guest.node("a");

        EntryOut linked = guest.link(node, Guest.ROOT, "b");

        assertEquals(node, linked.nodeid());
        assertEquals(2, linked.attr().nlink());
        assertEquals(Errno.EEXIST, Guest.errnoOf(() -> guest.link(node, Guest.ROOT, "b")));
        assertEquals(Errno.EPERM, Guest.errnoOf(() -> guest.link(Guest.ROOT, Guest.ROOT, "c")));
        Files.createSymbolicLink(share.resolve("s"), Path.of("dangling"));
        long link = guest.node("s");
        assertEquals(link, guest.link(link, Guest.ROOT, "t").nodeid()); // the link, not its target
    }

    /// renameat2(2): no replacing, exchanging, leaving a whiteout; what is not known is refused,
    /// not dropped.
    ///
    /// Field report: virtiofsd e870433.
    ///
    /// Caught: flags masked.
    @Test
    void renameDoesWhatItsFlagsSayOrNothing() throws Exception {
        Files.writeString(share.resolve("a"), "a");
        Files.writeString(share.resolve("b"), "b");

        assertEquals(Errno.EEXIST, Guest.errnoOf(() -> guest.rename(1, "a", 1, "b", Fcntl.RENAME_NOREPLACE)));
        guest.rename(1, "a", 1, "b", Fcntl.RENAME_EXCHANGE);
        assertEquals("b", Files.readString(share.resolve("a")));
        assertEquals(
                Errno.EINVAL,
                Guest.errnoOf(() -> guest.rename(1, "a", 1, "b", Fcntl.RENAME_EXCHANGE | Fcntl.RENAME_WHITEOUT)));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.rename(1, "a", 1, "c", 8)));
        assertEquals("b", Files.readString(share.resolve("a")));
        guest.rename(1, "a", 1, "c", Fcntl.RENAME_WHITEOUT);
        EntryOut whiteout = guest.lookup(Guest.ROOT, "a");
        assertEquals(0020000, whiteout.attr().mode());
        assertEquals(0, whiteout.attr().rdev());
        guest.rename(1, "c", 1, "b", 0);
        assertEquals("b", Files.readString(share.resolve("b")));
    }

    /// Names that were never looked up can be removed and moved.
    ///
    /// Field report: probe: name never looked up.
    @Test
    void removingNeedsNoLookupBefore() throws Exception {
        Files.writeString(share.resolve("f"), "");
        Files.createDirectories(share.resolve("d/e"));

        assertEquals(Errno.ENOTDIR, Guest.errnoOf(() -> guest.rmdir(Guest.ROOT, "f")));
        assertEquals(Errno.EISDIR, Guest.errnoOf(() -> guest.unlink(Guest.ROOT, "d")));
        assertEquals(Errno.ENOTEMPTY, Guest.errnoOf(() -> guest.rmdir(Guest.ROOT, "d")));
        guest.unlink(Guest.ROOT, "f");
        Files.delete(share.resolve("d/e"));
        guest.rmdir(Guest.ROOT, "d");

        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.unlink(Guest.ROOT, "f")));
        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.rename(1, "x", 1, "y", 0)));
    }

    private void chown(Path path, int uid, int gid) throws Exception {
        Files.setAttribute(path, "unix:uid", uid);
        Files.setAttribute(path, "unix:gid", gid);
    }

    private void chmod(Path path, int mode) throws Exception {
        Files.setAttribute(path, "unix:mode", mode);
    }
}
