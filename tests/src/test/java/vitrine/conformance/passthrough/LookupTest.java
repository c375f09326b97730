package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.RenameIn;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.wire.Name;

/// What a name leads to, what it must not lead to, and how long a nodeid is good.
class LookupTest extends SharedFolder {

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT.withTimeout(Duration.ofMillis(2500)));
    }

    /// The attributes are the host's, the timeout is the option's, in seconds and nanoseconds.
    ///
    /// Caught: nanoseconds of the timeout left out.
    @Test
    void anEntryTellsWhatTheHostKnows() throws Exception {
        Path file = Files.writeString(share.resolve("f"), "hello");
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_000_000_000, 123_456_789)));

        EntryOut entry = guest.lookup(Guest.ROOT, "f");

        Attr attr = entry.attr();
        assertEquals((long) (Long) Files.getAttribute(file, "unix:ino"), attr.ino());
        assertEquals(5, attr.size());
        assertEquals((int) (Integer) Files.getAttribute(file, "unix:mode"), attr.mode());
        assertEquals(1, attr.nlink());
        assertEquals(1_000_000_000, attr.mtime());
        assertEquals(123_456_789, attr.mtimensec());
        assertEquals(2, entry.entryValid());
        assertEquals(500_000_000, entry.entryValidNsec());
        assertEquals(2, entry.attrValid());
        assertEquals(500_000_000, entry.attrValidNsec());
        assertEquals(attr, guest.getattr(entry.nodeid()));
    }

    /// Two names of one file are one nodeid, and a file that replaces another is a new one.
    ///
    /// Caught: looking inodes up by inode number alone.
    @Test
    void aNodeidIsAFileNotAName() throws Exception {
        Files.writeString(share.resolve("a"), "1");
        Files.createLink(share.resolve("b"), share.resolve("a"));
        long first = guest.lookup(Guest.ROOT, "a").nodeid();
        assertEquals(first, guest.lookup(Guest.ROOT, "b").nodeid());

        Files.writeString(share.resolve("new"), "22");
        Files.move(share.resolve("new"), share.resolve("a"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        assertNotEquals(first, guest.lookup(Guest.ROOT, "a").nodeid());
        assertEquals(first, guest.lookup(Guest.ROOT, "b").nodeid());
        assertEquals(1, guest.getattr(first).size());
    }

    /// A name that is no component of a path is no name; the host is not asked.
    ///
    /// Caught: no check (with `sandbox=none` this reached outside the share); no check of the
    /// second name.
    @ParameterizedTest
    @CsvSource({"''", ".", "..", "a/b", "/etc", "../x", "x/", "/"})
    void namesThatLeadElsewhereAreRefused(String spelled) throws Exception {
        Files.createDirectories(share.resolve("a"));
        Files.writeString(share.resolve("a/b"), "");
        Files.writeString(share.resolve("f"), "");
        long file = guest.lookup(Guest.ROOT, "f").nodeid();
        Name name = Name.of(spelled);
        Name fine = Name.of("fine");
        FuseRequest[] requests = {
            new DirectoryRequest.Mkdir(guest.header(1), new MkdirIn(0755, 0), name),
            new DirectoryRequest.Mknod(guest.header(1), new MknodIn(0100644, 0, 0), name),
            new DirectoryRequest.Symlink(guest.header(1), name, fine),
            new FileRequest.Create(guest.header(1), new CreateIn(2, 0644, 0, 0), name),
            new DirectoryRequest.Unlink(guest.header(1), name),
            new DirectoryRequest.Rmdir(guest.header(1), name),
            new DirectoryRequest.Rename(guest.header(1), new RenameIn(1), name, fine),
            new DirectoryRequest.Rename(guest.header(1), new RenameIn(1), Name.of("f"), name),
            new DirectoryRequest.Rename2(guest.header(1), new Rename2In(1, 1), Name.of("f"), name),
            new DirectoryRequest.Link(guest.header(1), new LinkIn(file), name),
        };

        assertTrue(guest.libc
                .during(() -> {
                    for (FuseRequest request : requests) {
                        assertEquals(Errno.EINVAL, guest.errno(request), request.toString());
                    }
                })
                .isEmpty());
        if (!spelled.equals(".") && !spelled.equals("..")) {
            assertEquals(Errno.EINVAL, guest.errno(new InodeRequest.Lookup(guest.header(1), name)));
        }
        assertFalse(Files.exists(share.getParent().resolve("x")));
    }

    /// 255 bytes are a name, 256 are too many, and a name need not be text.
    @Test
    void namesAreUpTo255BytesOfAnything() throws Exception {
        byte[] bytes = new byte[255];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i == 46 ? 255 : i + 1);
        }
        Name name = Name.of(bytes);
        InodeRequest tooLong = new InodeRequest.Lookup(guest.header(1), Name.of("x".repeat(256)));

        guest.ask(new DirectoryRequest.Mkdir(guest.header(1), new MkdirIn(0755, 0), name));

        assertEquals(0, guest.errno(new InodeRequest.Lookup(guest.header(1), name)));
        assertEquals(Errno.ENAMETOOLONG, guest.errno(tooLong));
        assertEquals(0, guest.errno(new DirectoryRequest.Rmdir(guest.header(1), name)));
    }

    /// fuse.h: FUSE_EXPORT_SUPPORT: `.` and `..` by nodeid. Above the root is the root.
    ///
    /// Caught: `..` of the root handed to the host.
    @Test
    void dotsNeverLeadOutOfTheShare() throws Exception {
        Files.createDirectories(share.resolve("d/e"));
        long d = guest.node("d");
        long e = guest.node("d/e");

        assertEquals(e, guest.lookup(e, ".").nodeid());
        assertEquals(d, guest.lookup(e, "..").nodeid());
        assertEquals(Guest.ROOT, guest.lookup(d, "..").nodeid());
        assertEquals(Guest.ROOT, guest.lookup(Guest.ROOT, "..").nodeid());
        assertEquals(Guest.ROOT, guest.lookup(Guest.ROOT, ".").nodeid());

        Files.move(share.resolve("d/e"), share.getParent().resolve("elsewhere"));

        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.lookup(e, "..")));
        assertEquals(e, guest.lookup(e, ".").nodeid());
    }

    /// A symbolic link is an inode of its own and never followed on the host.
    @Test
    void symbolicLinksAreNotFollowed() throws Exception {
        Files.createSymbolicLink(share.resolve("l"), Path.of("/etc"));
        EntryOut link = guest.lookup(Guest.ROOT, "l");

        assertEquals(0120000, link.attr().mode() & 0170000);
        assertEquals("/etc", new String(guest.readlink(link.nodeid())));
        assertEquals(Errno.ENOTDIR, Guest.errnoOf(() -> guest.lookup(link.nodeid(), "passwd")));
        guest.unlink(Guest.ROOT, "l");
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.readlink(Guest.ROOT)));
    }

    /// A file that is gone but has a nodeid is used through it; one that was forgotten is stale.
    ///
    /// Caught: unknown nodeids answered with ENOENT, after which no guest kernel looks again.
    @Test
    void aNodeidIsGoodUntilItsLastForget() throws Exception {
        Files.writeString(share.resolve("f"), "data");
        long node = guest.lookup(Guest.ROOT, "f").nodeid();
        guest.lookup(Guest.ROOT, "f");
        Files.delete(share.resolve("f"));

        guest.forget(node, 1);
        assertEquals(0, guest.getattr(node).nlink());
        long fh = guest.open(node, 0);
        guest.forget(node, 1);

        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(node)));
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.open(node, 0)));
        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.lookup(Guest.ROOT, "f")));
        assertEquals("data", new String(guest.read(node, fh, 0, 10))); // the handle is another matter
    }

    /// Too many FORGETs, of a nodeid or of the root, end nothing but what they may.
    ///
    /// Caught: the root forgotten; a count below zero.
    @Test
    void forgettingTooMuchHarmsNobodyElse() throws Exception {
        Files.writeString(share.resolve("f"), "");
        long node = guest.lookup(Guest.ROOT, "f").nodeid();

        guest.forget(node, -1);
        guest.forget(node, 1);
        guest.forget(Guest.ROOT, 5);
        guest.forget(4711, 1);

        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(node)));
        assertEquals(0, Guest.errnoOf(() -> guest.getattr(Guest.ROOT)));
        Files.writeString(share.resolve("g"), "");
        assertTrue(guest.lookup(Guest.ROOT, "g").nodeid() > node); // never used for another file
    }

    /// When no descriptor is left, what the guest knows already can still be looked up and used.
    ///
    /// Caught: a LOOKUP that opens the file before it looks whether it is known.
    @Test
    void descriptorsAreNeededForNewFilesOnly() throws Exception {
        Files.writeString(share.resolve("known"), "");
        Files.writeString(share.resolve("new"), "");
        long node = guest.lookup(Guest.ROOT, "known").nodeid();
        guest.libc.fail("openat", Errno.EMFILE);

        assertEquals(node, guest.lookup(Guest.ROOT, "known").nodeid());
        assertEquals(0, Guest.errnoOf(() -> guest.setattr(node, Setattr.size(10))));
        assertEquals(10, guest.getattr(node).size());
        assertEquals(Errno.EMFILE, Guest.errnoOf(() -> guest.lookup(Guest.ROOT, "new")));

        guest.libc.failNothing();
        assertEquals(0, Guest.errnoOf(() -> guest.lookup(Guest.ROOT, "new")));
    }
}
