package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Extended attributes that have the same names on the host.
class XattrTest extends SharedFolder {

    private Xattrs xattrs;
    private long node;

    @BeforeEach
    void serve() throws Exception {
        Files.writeString(share.resolve("f"), "");
        serve(PassthroughOptions.DEFAULT.with(Feature.XATTR));
    }

    @Override
    void serve(PassthroughOptions options, long offered) throws Exception {
        super.serve(options, offered);
        xattrs = new Xattrs(guest);
        node = guest.node("f");
    }

    /// Set, asked for by size and by value, listed, removed.
    ///
    /// Caught: size 0 answered with the value; a value of size 0 answered with a struct.
    @Test
    void theyGoThroughAsTheyAre() throws Exception {
        xattrs.set(node, "user.a", "value", Fcntl.XATTR_CREATE);
        assertEquals(Errno.EEXIST, Guest.errnoOf(() -> xattrs.set(node, "user.a", "v", Fcntl.XATTR_CREATE)));
        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> xattrs.set(node, "user.b", "v", Fcntl.XATTR_REPLACE)));
        xattrs.set(node, "user.empty", "");

        assertEquals(5, xattrs.size(node, "user.a"));
        assertEquals("value", xattrs.get(node, "user.a", 5));
        assertEquals("value", xattrs.get(node, "user.a", 100));
        assertEquals("", xattrs.get(node, "user.empty", 5));
        assertEquals(Errno.ERANGE, Guest.errnoOf(() -> xattrs.get(node, "user.a", 4)));
        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> xattrs.get(node, "user.b", 4)));
        assertEquals(List.of("user.a", "user.empty"), xattrs.list(node));
        assertEquals(18, xattrs.listSize(node));
        assertEquals(18, xattrs.list(node, 18).length());
        assertEquals('\0', xattrs.list(node, 18).charAt(17));
        assertEquals(Errno.ERANGE, Guest.errnoOf(() -> xattrs.list(node, 17)));
        xattrs.remove(node, "user.a");
        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> xattrs.remove(node, "user.a")));
    }

    /// They exist for every kind of file, and are the link's, not its target's.
    ///
    /// Field report: virtiofsd cb85d2f.
    ///
    /// Caught: f…xattr on an `O_PATH` descriptor (EBADF).
    @Test
    void everyKindOfFileHasThem() throws Exception {
        long link = guest.symlink(Guest.ROOT, "l", "f").nodeid();
        long fifo = guest.mknod(Guest.ROOT, "fifo", 0010666, 0).nodeid();

        xattrs.set(link, "trusted.t", "link");
        xattrs.set(fifo, "trusted.t", "fifo");

        assertEquals("link", xattrs.get(link, "trusted.t"));
        assertEquals("fifo", xattrs.get(fifo, "trusted.t"));
        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> xattrs.get(node, "trusted.t")));
        assertEquals(Errno.EPERM, Guest.errnoOf(() -> xattrs.set(link, "user.a", "x")));
    }

    /// A guest that leaves no room has not asked for the size; for nothing, no room is enough.
    ///
    /// Caught: the host asked with a size of 0.
    @Test
    void noRoomIsNotAQuestionForTheSize() throws Exception {
        XattrRequest get =
                new XattrRequest.Getxattr(guest.header(node), new GetxattrIn(9), Name.of("user.a"), Buffers.EMPTY);
        XattrRequest list = new XattrRequest.Listxattr(guest.header(node), new GetxattrIn(9), Buffers.EMPTY);
        assertEquals(0, guest.errno(list));

        xattrs.set(node, "user.a", "value");

        assertEquals(Errno.ERANGE, guest.errno(get));
        assertEquals(Errno.ERANGE, guest.errno(list));
    }

    /// Switched off, all four are ENOSYS, which the guest's kernel remembers.
    @Test
    void switchedOffTheyAreUnknown() throws Exception {
        serve(PassthroughOptions.DEFAULT);

        assertEquals(Errno.ENOSYS, Guest.errnoOf(() -> xattrs.set(node, "user.a", "v")));
        assertEquals(Errno.ENOSYS, Guest.errnoOf(() -> xattrs.get(node, "user.a")));
        assertEquals(Errno.ENOSYS, Guest.errnoOf(() -> xattrs.list(node)));
        assertEquals(Errno.ENOSYS, Guest.errnoOf(() -> xattrs.remove(node, "user.a")));
    }
}
