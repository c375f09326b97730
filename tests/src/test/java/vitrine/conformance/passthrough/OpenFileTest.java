package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.fuse.FileRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;

/// Handles: what they are good for, what goes through them, and where.
class OpenFileTest extends SharedFolder {

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT);
    }

    private void restart(PassthroughOptions options) throws Exception {
        guest.close();
        guest = new Guest(share, options);
    }

    private long file(String content) throws Exception {
        Files.writeString(share.resolve("f"), content);
        return guest.node("f");
    }

    private String content() throws Exception {
        return Files.readString(share.resolve("f"));
    }

    /// CVE-2020-35517: opening a FIFO on the host would wait for ever, a device would be the
    /// host's.
    ///
    /// Field report: CVE-2020-35517.
    ///
    /// Caught: opening whatever it is (the test hangs).
    @Test
    @Timeout(value = 10, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void onlyRegularFilesAreOpened() throws Exception {
        long fifo = guest.mknod(Guest.ROOT, "fifo", 0010666, 0).nodeid();
        long socket = guest.mknod(Guest.ROOT, "socket", 0140666, 0).nodeid();
        long device = guest.mknod(Guest.ROOT, "null", 0020666, 0x103).nodeid();
        long link = guest.symlink(Guest.ROOT, "link", "null").nodeid();

        for (long node : new long[] {fifo, socket, device, link}) {
            assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.open(node, Fcntl.O_RDWR)));
            assertEquals(Errno.ENOTDIR, Guest.errnoOf(() -> guest.opendir(node)));
        }
        assertEquals(Errno.EISDIR, Guest.errnoOf(() -> guest.open(Guest.ROOT, 0)));
        long file = file("");
        assertEquals(Errno.ENOTDIR, Guest.errnoOf(() -> guest.opendir(file)));
    }

    /// OPEN is for what exists. Odd flags are left out, not passed on.
    ///
    /// Caught: `O_TMPFILE` on the host; `O_PATH` on the host (READ would fail).
    @Test
    void flagsThatMakeFilesAreRefusedAndOddOnesLeftOut() throws Exception {
        long node = file("data");

        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.open(node, Fcntl.O_RDWR | Fcntl.O_CREAT)));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.open(node, Fcntl.O_RDWR | Fcntl.O_TMPFILE)));
        assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.open(Guest.ROOT, Fcntl.O_RDWR | Fcntl.O_TMPFILE)));
        int odd = Fcntl.O_PATH | Fcntl.O_NOFOLLOW | Fcntl.O_EXCL | Fcntl.O_DIRECTORY | Fcntl.O_NONBLOCK;
        long fh = guest.open(node, odd | Fcntl.O_LARGEFILE | Fcntl.O_CLOEXEC);
        assertEquals("data", new String(guest.read(node, fh, 0, 100)));
    }

    /// A handle goes with its nodeid and its kind, and ends with its release.
    ///
    /// Caught: handles not tied to nodeids; a second release that succeeds.
    @Test
    void aHandleIsGoodForItsOwnFileOnly() throws Exception {
        long node = file("data");
        Files.writeString(share.resolve("g"), "");
        long other = guest.node("g");
        long fh = guest.open(node, Fcntl.O_RDWR);
        long directory = guest.opendir(Guest.ROOT);
        assertNotEquals(fh, directory);

        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.read(other, fh, 0, 1)));
        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.read(node, fh + 100, 0, 1)));
        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.read(Guest.ROOT, directory, 0, 1)));
        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.readdir(node, fh, 0, 4096)));
        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.release(other, fh)));
        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.setattr(other, Setattr.size(0, fh))));
        guest.release(node, fh);
        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.read(node, fh, 0, 1)));
        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.release(node, fh)));
        assertTrue(guest.open(node, 0) > directory); // never used again
    }

    /// Data goes where it lies, in pieces of any size; a short answer is the end of the file.
    @Test
    void readsFillTheGuestsPiecesInOrder() throws Exception {
        long node = file("0123456789");
        long fh = guest.open(node, 0);
        MemorySegment[] pieces = {Guest.memory(1), Guest.memory(4), Guest.memory(7)};
        ReadIn in = new ReadIn(fh, 1, 12, 0, 0, 0);

        Reply reply = guest.ask(new FileRequest.Read(guest.header(node), in, Buffers.of(pieces)));

        assertEquals(new Reply.Filled(9), reply);
        assertEquals("1", Guest.text(pieces[0]));
        assertEquals("2345", Guest.text(pieces[1]));
        assertEquals("6789ZZZ", Guest.text(pieces[2])); // untouched behind the end
        assertEquals(0, guest.read(node, fh, 10, 5).length);
    }

    /// An offset of 2^63 or more is none; -1 must not mean "where the descriptor stands".
    ///
    /// Caught: the offset handed to preadv2 (-1 then reads).
    @Test
    void offsetsBeyondTheLargestFileAreRefused() throws Exception {
        long node = file("data");
        long fh = guest.open(node, Fcntl.O_RDWR);

        for (long offset : new long[] {-1, Long.MIN_VALUE}) {
            assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.read(node, fh, offset, 1)));
            assertEquals(Errno.EINVAL, Guest.errnoOf(() -> guest.write(node, fh, offset, "x")));
        }
        assertEquals("data", content());
    }

    /// An O_APPEND write goes to the end that the host knows; a page of the guest's cache goes
    /// where it was dirtied, even of a file that is open for appending; a guest that has switched
    /// O_APPEND off (F_SETFL) is believed.
    ///
    /// Field reports: kata-containers #5634, probe: page of an O_APPEND file.
    ///
    /// Caught: O_APPEND on the host's descriptor (a mapped file grew with each flush); the offset
    /// believed when appending.
    @Test
    void appendingIsDecidedByEachWrite() throws Exception {
        long node = file("0123456789");
        long fh = guest.open(node, Fcntl.O_RDWR | Fcntl.O_APPEND);
        Files.writeString(share.resolve("f"), "more", java.nio.file.StandardOpenOption.APPEND);

        guest.append(node, fh, 10, "end");
        guest.append(node, fh, 1, "PAGE", WriteFlag.CACHE);
        guest.write(node, fh, 5, "!");

        assertEquals("0PAGE!6789moreend", content());
    }

    /// With write-back the end is where the guest's kernel says: what comes before is not here yet.
    ///
    /// Caught: an O_DIRECT write appended on the host, and then written over by the page that was
    /// to come before it.
    @Test
    void withWritebackTheGuestKnowsTheEnd() throws Exception {
        restart(PassthroughOptions.DEFAULT.with(Feature.WRITEBACK, Feature.ALLOW_DIRECT_IO));
        long node = file("");
        long fh = guest.open(node, Fcntl.O_RDWR | Fcntl.O_APPEND);

        guest.append(node, fh, 4, "direct");
        guest.append(node, fh, 0, "page", WriteFlag.CACHE);

        assertEquals("pagedirect", content());
    }

    /// With write-back the guest reads what it has to complete a page, and its writes have settled
    /// places.
    ///
    /// Field report: fuse-backend-rs #90.
    ///
    /// Caught: CREATE left as it was asked for (READ was EBADF); OPEN likewise.
    @Test
    void withWritebackWhatIsOpenForWritingCanBeRead() throws Exception {
        restart(PassthroughOptions.DEFAULT.with(Feature.WRITEBACK));
        int writeOnly = Fcntl.O_WRONLY | Fcntl.O_APPEND;
        Guest.Created made = guest.create(Guest.ROOT, "f", Fcntl.O_CREAT | writeOnly, 0644, 0);
        long node = made.entry().nodeid();

        guest.write(node, made.open().fh(), 0, "data", WriteFlag.CACHE);
        guest.write(node, made.open().fh(), 0, "DA", WriteFlag.CACHE);

        assertEquals("DAta", new String(guest.read(node, made.open().fh(), 0, 10)));
        assertEquals("DAta", new String(guest.read(node, guest.open(node, writeOnly), 0, 10)));
        restart(PassthroughOptions.DEFAULT);
        long again = guest.node("f");
        long fh = guest.open(again, Fcntl.O_WRONLY);
        assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.read(again, fh, 0, 10)));
    }

    /// What OPEN and OPENDIR tell the guest about its caches.
    @ParameterizedTest
    @EnumSource(CachePolicy.class)
    void openFlagsFollowTheCachePolicy(CachePolicy policy) throws Exception {
        restart(PassthroughOptions.DEFAULT.withCache(policy));
        long node = file("");
        int directIo = 1;
        int keepCache = 2;
        int cacheDir = 8;

        int file = guest.open(node, 0, 0).openFlags();
        int created =
                guest.create(Guest.ROOT, "new", Fcntl.O_CREAT, 0644, 0).open().openFlags();

        int expected = switch (policy) {
            case NEVER, METADATA -> directIo;
            case AUTO -> 0;
            case ALWAYS -> keepCache;
        };
        assertEquals(expected, file);
        assertEquals(expected, created);
        assertEquals(
                switch (policy) {
                    case NEVER, AUTO -> 0;
                    case METADATA, ALWAYS -> keepCache | cacheDir;
                },
                policy.directoryFlags());
        assertEquals(
                switch (policy) {
                    case NEVER -> 0;
                    case AUTO -> 1;
                    case METADATA, ALWAYS -> 86400;
                },
                guest.lookup(Guest.ROOT, "f").entryValid());
    }

    /// close(2) in the guest does not fail because the host has no descriptor left, but does when
    /// the data could not be written.
    ///
    /// Caught: EMFILE passed on; the error of close(2) lost.
    @Test
    void flushReportsLateWriteErrorsAndNothingElse() throws Exception {
        long node = file("");
        long fh = guest.open(node, Fcntl.O_RDWR);
        FileRequest.Flush flush = new FileRequest.Flush(guest.header(node), new FlushIn(fh, 1));

        assertEquals(0, guest.errno(flush));
        guest.libc.fail("fcntl", Errno.EMFILE);
        assertEquals(0, guest.errno(flush));
        guest.libc.failNothing();
        guest.libc.fail("close", Errno.EDQUOT);
        assertEquals(Errno.EDQUOT, guest.errno(flush));
        guest.libc.failNothing();
        assertEquals(Errno.EBADF, guest.errno(new FileRequest.Flush(guest.header(node), new FlushIn(fh + 1, 1))));
    }
}
