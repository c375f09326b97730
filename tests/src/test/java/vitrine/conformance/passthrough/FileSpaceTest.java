package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.FileRequest;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.CopyFileRangeOut;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.FsyncIn;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.LseekOut;
import vitrine.fuse.struct.WriteOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;

/// The space that an open file takes: reserved, copied, searched for holes, made durable.
class FileSpaceTest extends SharedFolder {

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT);
    }

    private long file(String content) throws Exception {
        Files.writeString(share.resolve("f"), content);
        return guest.node("f");
    }

    /// fsync(2) and fdatasync(2) are told apart.
    @Test
    void fsyncHonoursDatasync() throws Exception {
        long node = file("");
        long fh = guest.open(node, Fcntl.O_RDWR);

        assertEquals(List.of("fsync", "fdatasync"), guest.libc.during(() -> {
            guest.ask(new FileRequest.Fsync(guest.header(node), new FsyncIn(fh, 0)));
            guest.ask(new FileRequest.Fsync(guest.header(node), new FsyncIn(fh, 1)));
        }));
    }

    /// fallocate(2): never shrinks, keeps the size if told so, and the host refuses what is no
    /// mode.
    ///
    /// Field report: libkrun #203.
    @Test
    void fallocateIsTheHosts() throws Exception {
        long node = file("");
        long fh = guest.open(node, Fcntl.O_RDWR);

        assertEquals(0, fallocate(node, fh, 0, 1024, 0));
        assertEquals(0, fallocate(node, fh, 0, 512, 0));
        assertEquals(1024, guest.getattr(node).size());
        assertEquals(0, fallocate(node, fh, 0, 4096, Fcntl.FALLOC_FL_KEEP_SIZE));
        assertEquals(1024, guest.getattr(node).size());
        assertEquals(Errno.EINVAL, fallocate(node, fh, 0, 0, 0));
        assertEquals(Errno.EINVAL, fallocate(node, fh, -1, 10, 0));
        assertEquals(Errno.EOPNOTSUPP, fallocate(node, fh, 0, 10, Fcntl.FALLOC_FL_PUNCH_HOLE));
        assertEquals(Errno.EOPNOTSUPP, fallocate(node, fh, 0, 10, 1 << 20));
    }

    private int fallocate(long node, long fh, long offset, long length, int mode) {
        return guest.errno(new FileRequest.Fallocate(guest.header(node), new FallocateIn(fh, offset, length, mode)));
    }

    /// lseek(2) for data and holes; "from here" has no meaning.
    @Test
    void lseekFindsHoles() throws Exception {
        long node = file("");
        long fh = guest.open(node, Fcntl.O_RDWR);
        guest.write(node, fh, 1 << 20, "data");

        assertEquals(1 << 20, lseek(node, fh, 0, Fcntl.SEEK_DATA));
        assertEquals((1 << 20) + 4, lseek(node, fh, 1 << 20, Fcntl.SEEK_HOLE));
        assertEquals(0, lseek(node, fh, 0, Fcntl.SEEK_HOLE));
        assertEquals(Errno.ENXIO, Guest.errnoOf(() -> lseek(node, fh, 2 << 20, Fcntl.SEEK_DATA)));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> lseek(node, fh, 0, Fcntl.SEEK_CUR)));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> lseek(node, fh, 0, 77)));
    }

    private long lseek(long node, long fh, long offset, int whence) throws Exception {
        LseekIn in = new LseekIn(fh, offset, whence);
        return guest.struct(LseekOut.class, new FileRequest.Lseek(guest.header(node), in))
                .offset();
    }

    /// copy_file_range(2), with both answers there are for it.
    @Test
    void copiesStayOnTheHost() throws Exception {
        long from = file("0123456789");
        long fh = guest.open(from, 0);
        Guest.Created to = guest.create(Guest.ROOT, "to", Fcntl.O_CREAT | Fcntl.O_RDWR, 0644, 0);
        long target = to.entry().nodeid();
        long targetFh = to.open().fh();

        CopyFileRangeIn in = new CopyFileRangeIn(fh, 2, target, targetFh, 1, -1, 0);
        WriteOut copied = guest.struct(WriteOut.class, new FileRequest.CopyFileRange(guest.header(from), in));
        CopyFileRangeIn again = new CopyFileRangeIn(fh, 0, target, targetFh, 9, 3, 0);
        CopyFileRangeOut more =
                guest.struct(CopyFileRangeOut.class, new FileRequest.CopyFileRange64(guest.header(from), again));

        assertEquals(8, copied.size());
        assertEquals(3, more.bytesCopied());
        assertEquals("\00023456789012", Files.readString(share.resolve("to")));
        assertEquals(Errno.EINVAL, copy(from, new CopyFileRangeIn(fh, 0, target, targetFh, 0, 1, 1)));
        assertEquals(Errno.EBADF, copy(from, new CopyFileRangeIn(fh, 0, from, targetFh, 0, 1, 0)));
        assertEquals(Errno.EBADF, copy(target, new CopyFileRangeIn(fh, 0, target, targetFh, 0, 1, 0)));
        assertNotEquals(0, copy(from, new CopyFileRangeIn(fh, -1, target, targetFh, 0, 1, 0)));
    }

    /// A host that shares blocks copies any length in one call. The older answer has 32 bits for
    /// it, the newer one 64.
    ///
    /// Caught: no limit for the older one; a limit for the newer one; the newer one cut to 32 bits.
    @Test
    void noCopyIsLongerThanItsAnswerCanTell() throws Exception {
        long from = file("0123456789");
        long fh = guest.open(from, Fcntl.O_RDWR);
        CopyFileRangeIn in = new CopyFileRangeIn(fh, 0, from, fh, 0, 5L << 30, 0);
        CopyFileRangeIn all = new CopyFileRangeIn(fh, 0, from, fh, 0, -1, 0);
        guest.libc.standIn("copy_file_range", arguments -> (Long) arguments[4]);

        WriteOut older = guest.struct(WriteOut.class, new FileRequest.CopyFileRange(guest.header(from), in));
        WriteOut most = guest.struct(WriteOut.class, new FileRequest.CopyFileRange(guest.header(from), all));
        CopyFileRangeOut newer =
                guest.struct(CopyFileRangeOut.class, new FileRequest.CopyFileRange64(guest.header(from), in));

        assertEquals(0x7ffff000, older.size());
        assertEquals(0x7ffff000, most.size());
        assertEquals(5L << 30, newer.bytesCopied());
        guest.libc.failNothing();
        assertEquals(Errno.EINVAL, guest.errno(new FileRequest.CopyFileRange64(guest.header(from), all)));
    }

    private int copy(long node, CopyFileRangeIn in) {
        return guest.errno(new FileRequest.CopyFileRange(guest.header(node), in));
    }
}
