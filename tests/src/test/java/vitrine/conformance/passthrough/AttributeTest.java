package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.GetxattrOut;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.fuse.struct.StatfsOut;
import vitrine.fuse.struct.SyncfsIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// SETATTR, STATFS, SYNCFS, and extended attributes.
class AttributeTest {

    private Path share;
    private Guest guest;

    @BeforeEach
    void share(@TempDir Path temporary) throws Exception {
        Needs.root();
        share = temporary;
        guest = new Guest(share, PassthroughOptions.DEFAULT.with(Feature.XATTR));
    }

    @AfterEach
    void close() {
        if (guest != null) {
            guest.close();
        }
    }

    private long file() throws Exception {
        Files.writeString(share.resolve("f"), "0123456789");
        return guest.node("f");
    }

    /// Only what `valid` names is set.
    ///
    /// Caught: uid set along with gid.
    @Test
    void eachAttributeIsSetAlone() throws Exception {
        long node = file();

        assertEquals(0100640, guest.setattr(node, Setattr.mode(0640)).mode());
        Attr group = guest.setattr(node, Setattr.owner(5, 6, SetattrFlag.GID));
        assertEquals(List.of(0, 6), List.of(group.uid(), group.gid()));
        Attr owner = guest.setattr(node, Setattr.owner(7, 8, SetattrFlag.UID));
        assertEquals(List.of(7, 6), List.of(owner.uid(), owner.gid()));
        Attr size = guest.setattr(node, Setattr.size(4));
        assertEquals(4, size.size());
        assertEquals(List.of(0100640, 7, 6), List.of(size.mode(), size.uid(), size.gid()));
        assertEquals("0123", Files.readString(share.resolve("f")));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.setattr(node, Setattr.size(-1))));
        assertEquals(Errno.EISDIR, Guest.errnoOf(() -> guest.setattr(Guest.ROOT, Setattr.size(0))));
    }

    /// utimensat(2): given times, now, or left alone, each of the two by itself.
    ///
    /// Caught: a time that is not named set to 0; "now" hidden in the nanoseconds.
    @Test
    void eachTimeIsSetAlone() throws Exception {
        long node = file();

        guest.setattr(node, Setattr.times(-5, 7, 2_000_000_000_000L, 8, SetattrFlag.ATIME, SetattrFlag.MTIME));
        Attr both = guest.getattr(node);
        assertEquals(List.of(-5L, 7), List.of(both.atime(), both.atimensec()));
        long future = both.mtime(); // ext4 ends in 2446
        guest.setattr(node, Setattr.times(9, 9, 10, 11, SetattrFlag.MTIME));
        Attr modification = guest.getattr(node);
        assertEquals(List.of(-5L, 7), List.of(modification.atime(), modification.atimensec()));
        assertEquals(List.of(10L, 11), List.of(modification.mtime(), modification.mtimensec()));
        guest.setattr(node, Setattr.times(9, 9, 10, 11, SetattrFlag.ATIME, SetattrFlag.ATIME_NOW));
        Attr now = guest.getattr(node);
        assertTrue(Math.abs(now.atime() - System.currentTimeMillis() / 1000) < 100);
        assertEquals(10, now.mtime());
        assertTrue(future > 0);
        int utimeNow = (1 << 30) - 1;
        assertEquals(
                Errno.EINVAL,
                Guest.errnoOf(() -> guest.setattr(node, Setattr.times(0, utimeNow, 0, 0, SetattrFlag.ATIME))));
    }

    /// Attributes of a symbolic link are its own: its target on the host is not touched.
    @Test
    void aSymbolicLinkHasAttributesOfItsOwn() throws Exception {
        long target = file();
        long link = guest.symlink(Guest.ROOT, "l", "f").nodeid();

        guest.setattr(link, Setattr.owner(5, 6, SetattrFlag.UID, SetattrFlag.GID));
        guest.setattr(link, Setattr.times(1, 2, 3, 4, SetattrFlag.ATIME, SetattrFlag.MTIME));

        assertEquals(
                List.of(5, 3L),
                List.of(guest.getattr(link).uid(), guest.getattr(link).mtime()));
        assertEquals(0, guest.getattr(target).uid());
        assertTrue(guest.getattr(target).mtime() > 3);
        assertEquals(Errno.EOPNOTSUPP, Guest.errnoOf(() -> guest.setattr(link, Setattr.mode(0700))));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.setattr(link, Setattr.size(0))));
        assertEquals(10, guest.getattr(target).size());
    }

    /// statfs(2): blocks are counted in `frsize`, as on the host.
    @Test
    void statfsIsTheHosts() throws Exception {
        long node = file();

        Kstatfs st = guest.struct(StatfsOut.class, new InodeRequest.Statfs(guest.header(node)))
                .st();

        assertEquals(Files.getFileStore(share).getTotalSpace(), st.blocks() * st.frsize());
        assertEquals(255, st.namelen());
        assertEquals(Files.getFileStore(share).getBlockSize(), st.bsize());
    }

    /// syncfs(2) needs a descriptor that is really open; a FIFO's is not opened for it.
    @Test
    void syncfsWorksByNodeid() throws Exception {
        assertEquals(0, guest.errno(new InodeRequest.Syncfs(guest.header(Guest.ROOT), new SyncfsIn())));
        assertEquals(0, guest.errno(new InodeRequest.Syncfs(guest.header(file()), new SyncfsIn())));
        long fifo = guest.mknod(Guest.ROOT, "fifo", 0010666, 0).nodeid();
        assertEquals(Errno.EBADF, guest.errno(new InodeRequest.Syncfs(guest.header(fifo), new SyncfsIn())));
    }

    /// Set, asked for by size and by value, listed, removed.
    ///
    /// Caught: size 0 answered with the value; a value of size 0 answered with a struct.
    @Test
    void extendedAttributesGoThroughAsTheyAre() throws Exception {
        long node = file();

        assertEquals(0, set(node, "user.a", "value", Fcntl.XATTR_CREATE));
        assertEquals(Errno.EEXIST, set(node, "user.a", "v", Fcntl.XATTR_CREATE));
        assertEquals(Errno.ENODATA, set(node, "user.b", "v", Fcntl.XATTR_REPLACE));
        assertEquals(0, set(node, "user.empty", "", 0));
        assertEquals(new Reply.Struct(new GetxattrOut(5)), get(node, "user.a", 0));
        assertEquals("value", new String(value(node, "user.a", 5)));
        assertEquals("value", new String(value(node, "user.a", 100)));
        assertEquals("", new String(value(node, "user.empty", 5)));
        assertEquals(Errno.ERANGE, Guest.errnoOf(() -> get(node, "user.a", 4)));
        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> get(node, "user.b", 4)));
        assertEquals(Set.of("user.a", "user.empty"), Set.of(list(node, 100).split("\0")));
        assertEquals(list(node, 100), list(node, 18));
        assertEquals('\0', list(node, 18).charAt(17));
        assertEquals(Errno.ERANGE, Guest.errnoOf(() -> list(node, 17)));
        Reply size = guest.ask(new XattrRequest.Listxattr(guest.header(node), new GetxattrIn(0)));
        assertEquals(new Reply.Struct(new GetxattrOut(18)), size);
        XattrRequest remove = new XattrRequest.Removexattr(guest.header(node), Name.of("user.a"));
        assertEquals(0, guest.errno(remove));
        assertEquals(Errno.ENODATA, guest.errno(remove));
    }

    /// They exist for every kind of file, and are the link's, not its target's.
    ///
    /// Caught: f…xattr on an `O_PATH` descriptor (EBADF).
    @Test
    void extendedAttributesWorkForEveryKindOfFile() throws Exception {
        long target = file();
        long link = guest.symlink(Guest.ROOT, "l", "f").nodeid();
        long fifo = guest.mknod(Guest.ROOT, "fifo", 0010666, 0).nodeid();

        assertEquals(0, set(link, "trusted.t", "link", 0));
        assertEquals(0, set(fifo, "trusted.t", "fifo", 0));
        assertEquals("link", new String(value(link, "trusted.t", 10)));
        assertEquals("fifo", new String(value(fifo, "trusted.t", 10)));
        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> get(target, "trusted.t", 10)));
        assertEquals(Errno.EPERM, set(link, "user.a", "x", 0));
    }

    /// A guest that leaves no room has not asked for the size.
    ///
    /// Caught: the host asked with a size of 0.
    @Test
    void noRoomIsNotAQuestionForTheSize() throws Exception {
        long node = file();
        set(node, "user.a", "value", 0);
        XattrRequest get =
                new XattrRequest.Getxattr(guest.header(node), new GetxattrIn(9), Name.of("user.a"), Buffers.EMPTY);
        XattrRequest list = new XattrRequest.Listxattr(guest.header(node), new GetxattrIn(9), Buffers.EMPTY);

        assertEquals(Errno.ERANGE, guest.errno(get));
        assertEquals(Errno.ERANGE, guest.errno(list));
    }

    /// Switched off, all four are ENOSYS, which the guest's kernel remembers.
    @Test
    void switchedOffTheyAreUnknown() throws Exception {
        guest.close();
        guest = new Guest(share, PassthroughOptions.DEFAULT);
        long node = file();

        assertEquals(Errno.ENOSYS, set(node, "user.a", "v", 0));
        assertEquals(Errno.ENOSYS, Guest.errnoOf(() -> get(node, "user.a", 0)));
        assertEquals(Errno.ENOSYS, Guest.errnoOf(() -> list(node, 10)));
        assertEquals(Errno.ENOSYS, guest.errno(new XattrRequest.Removexattr(guest.header(node), Name.of("user.a"))));
    }

    private int set(long node, String name, String value, int flags) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        SetxattrIn in = new SetxattrIn(bytes.length, flags, false, 0);
        return guest.errno(new XattrRequest.Setxattr(guest.header(node), in, Name.of(name), Buffers.ofBytes(bytes)));
    }

    private Reply get(long node, String name, int size) throws Exception {
        Buffers into = Buffers.of(Guest.memory(size));
        return guest.ask(new XattrRequest.Getxattr(guest.header(node), new GetxattrIn(size), Name.of(name), into));
    }

    private byte[] value(long node, String name, int size) throws Exception {
        // in two pieces, as a page boundary would cut it
        Buffers into = Buffers.of(Guest.memory(2), Guest.memory(size - 2));
        Reply reply =
                guest.ask(new XattrRequest.Getxattr(guest.header(node), new GetxattrIn(size), Name.of(name), into));
        return into.slice(0, reply.size()).toBytes();
    }

    private String list(long node, int size) throws Exception {
        Buffers into = Buffers.of(Guest.memory(size));
        Reply reply = guest.ask(new XattrRequest.Listxattr(guest.header(node), new GetxattrIn(size), into));
        return new String(into.slice(0, reply.size()).toBytes(), StandardCharsets.UTF_8);
    }
}
