package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.FileRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.OpenOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.wire.Name;

/// TMPFILE: what open(2) with O_TMPFILE makes in the guest.
class UnnamedFileTest extends SharedFolder {

    private static final int READ_WRITE = Fcntl.O_TMPFILE | Fcntl.O_RDWR;

    @BeforeEach
    void serve() throws Exception {
        Files.setAttribute(share, "unix:mode", 0777);
        serve(PassthroughOptions.DEFAULT);
    }

    private FileRequest.Tmpfile request(long directory, int flags, int mode) {
        CreateIn in = new CreateIn(flags, mode, 0, 0);
        return new FileRequest.Tmpfile(
                guest.header(directory), in, Name.of("/"), guest.caller.extensions()); // the name that Linux sends
    }

    private Guest.Created tmpfile(long directory, int flags, int mode) throws Exception {
        Reply.Structs reply = (Reply.Structs) guest.ask(request(directory, flags, mode));
        return new Guest.Created(
                (EntryOut) reply.values().get(0), (OpenOut) reply.values().get(1));
    }

    /// It belongs to the caller, has no name, can be written and read, and is gone when forgotten.
    ///
    /// Caught: made as the daemon.
    @Test
    void aFileWithoutANameBelongsToTheCaller() throws Exception {
        guest.caller = new Caller(1000, 1001, java.util.List.of());

        Guest.Created made = tmpfile(Guest.ROOT, READ_WRITE, 0100640);
        long node = made.entry().nodeid();
        guest.write(node, made.open().fh(), 0, "hello");

        assertEquals(0100640, made.entry().attr().mode());
        assertEquals(1000, made.entry().attr().uid());
        assertEquals(1001, made.entry().attr().gid());
        assertEquals(0, made.entry().attr().nlink());
        assertArrayEquals("hello".getBytes(), guest.read(node, made.open().fh(), 0, 100));
        assertEquals(0, share.toFile().list().length);
        guest.release(node, made.open().fh());
        assertEquals(5, guest.getattr(node).size()); // the guest may open it once more, through /proc/self/fd
        guest.forget(node, 1);
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(node)));
    }

    /// open(2): "linkat(2) can make it permanent", with the file's inode, even after close(2). With
    /// O_EXCL it cannot, and Linux says so without asking.
    ///
    /// Caught: O_EXCL left out; O_EXCL always.
    @Test
    void itGetsANameUnlessItMustNot() throws Exception {
        Guest.Created made = tmpfile(Guest.ROOT, READ_WRITE, 0100600);
        long node = made.entry().nodeid();
        guest.write(node, made.open().fh(), 0, "hello");
        guest.release(node, made.open().fh());
        long exclusive =
                tmpfile(Guest.ROOT, READ_WRITE | Fcntl.O_EXCL, 0100600).entry().nodeid();

        EntryOut linked = guest.link(node, Guest.ROOT, "name");

        assertEquals(node, linked.nodeid());
        assertEquals(1, linked.attr().nlink());
        assertEquals("hello", Files.readString(share.resolve("name")));
        assertEquals(node, guest.lookup(Guest.ROOT, "name").nodeid());
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.link(exclusive, Guest.ROOT, "never")));
    }

    /// Who may not write to the directory makes no file in it; a supplementary group counts.
    ///
    /// Caught: the host asked with the daemon's rights.
    @Test
    void theHostChecksWhoMayMakeIt() throws Exception {
        Path directory = Files.createDirectory(share.resolve("d"));
        Files.setAttribute(directory, "unix:gid", 2222);
        Files.setAttribute(directory, "unix:mode", 0770);
        long d = guest.node("d");

        guest.caller = Caller.USER;
        int without = guest.errno(request(d, READ_WRITE, 0600));
        guest.caller = Caller.USER.in(2222);
        int with = guest.errno(request(d, READ_WRITE, 0600));

        assertEquals(Errno.EACCES, without);
        assertEquals(0, with);
    }

    /// The host has the last word on what makes no sense, and no descriptor is left behind.
    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        Files.writeString(share.resolve("f"), "");
        long file = guest.node("f");
        long before = descriptors();

        assertEquals(Errno.EINVAL, guest.errno(request(Guest.ROOT, Fcntl.O_TMPFILE, 0600))); // for reading only
        assertEquals(Errno.ENOTDIR, guest.errno(request(file, READ_WRITE, 0600)));
        assertEquals(Errno.ESTALE, guest.errno(request(4711, READ_WRITE, 0600)));
        guest.libc.fail("statx", Errno.EIO);
        assertEquals(Errno.EIO, guest.errno(request(Guest.ROOT, READ_WRITE, 0600)));

        assertEquals(before, descriptors());
        assertTrue(share.toFile().list().length == 1);
    }

    private static long descriptors() throws Exception {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
