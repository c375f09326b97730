package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.StatfsOut;
import vitrine.fuse.struct.SyncfsIn;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;

/// SETATTR, STATFS, SYNCFS.
class AttributeTest extends SharedFolder {

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT);
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
    ///
    /// Field report: uutils #14192.
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
}
