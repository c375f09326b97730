package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.FileRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.LockFlag;
import vitrine.fuse.flag.ReleaseFlag;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.LkIn;
import vitrine.fuse.struct.LkOut;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.RangeLock;

/// Locks of two guests of one share, and of a process of the host (fcntl(2), flock(2)).
class LockTest extends SharedFolder {

    private static final int READ = Fcntl.F_RDLCK;
    private static final int WRITE = Fcntl.F_WRLCK;
    private static final int UNLOCK = Fcntl.F_UNLCK;
    private static final long END = RangeLock.END_OF_FILE;
    private static final long ALICE = 0xa11ce; // owners
    private static final long BOB = 0xb0b;
    private static final PassthroughOptions LOCKS =
            PassthroughOptions.DEFAULT.with(Feature.POSIX_LOCKS).with(Feature.FLOCKS);

    private Guest other;
    private long node;
    private long fh;
    private long otherNode;
    private long otherFh;

    @BeforeEach
    void serve() throws Exception {
        Files.writeString(share.resolve("f"), "data");
        serve(LOCKS);
        other = new Guest(share, LOCKS);
        node = guest.node("f");
        fh = guest.open(node, Fcntl.O_RDWR);
        otherNode = other.node("f");
        otherFh = other.open(otherNode, Fcntl.O_RDWR);
    }

    @AfterEach
    void close() {
        if (other != null) {
            other.close();
        }
    }

    // --- asking

    private static LkIn lk(long fh, long owner, int type, long start, long end) {
        return new LkIn(fh, owner, new FileLock(start, end, type, (int) owner), 0);
    }

    private static LkIn flock(long fh, int type) {
        return new LkIn(fh, ALICE, new FileLock(0, END, type, 1), (int) LockFlag.FLOCK.bit());
    }

    private int set(long owner, int type, long start, long end) {
        return guest.errno(new LockRequest.Setlk(guest.header(node), lk(fh, owner, type, start, end)));
    }

    private int setInOther(int type, long start, long end) {
        return other.errno(new LockRequest.Setlk(other.header(otherNode), lk(otherFh, ALICE, type, start, end)));
    }

    private Reply wait(long owner, int type, long start, long end) throws Exception {
        return guest.ask(new LockRequest.Setlkw(guest.header(node), lk(fh, owner, type, start, end)));
    }

    private FileLock inTheWay(Guest asking, long nodeid, LkIn in) throws Exception {
        return asking.struct(LkOut.class, new LockRequest.Getlk(asking.header(nodeid), in))
                .lk();
    }

    private static long descriptors() throws Exception {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    // --- fcntl(2)

    /// Readers share, a writer is alone; within a guest by owner, and between guests. An owner
    /// never is in its own way.
    ///
    /// Caught: all owners of a guest locking through one descriptor.
    @Test
    void aWriterIsAlone() {
        assertEquals(0, set(ALICE, READ, 0, 9));
        assertEquals(0, set(BOB, READ, 0, 9));
        assertEquals(0, setInOther(READ, 0, 9));
        assertEquals(Errno.EAGAIN, set(ALICE, WRITE, 0, 9));

        assertEquals(0, set(BOB, UNLOCK, 0, 9));
        assertEquals(Errno.EAGAIN, setInOther(WRITE, 0, 9));
        assertEquals(0, setInOther(UNLOCK, 0, 9));

        assertEquals(0, set(ALICE, WRITE, 0, 9));
        assertEquals(Errno.EAGAIN, set(BOB, READ, 9, 9));
        assertEquals(Errno.EAGAIN, setInOther(READ, 0, 0));
        assertEquals(0, setInOther(WRITE, 10, 10));
    }

    /// `end` is the last byte, and the largest one means the end of the file, wherever that will be
    /// (fuse.h: struct fuse_file_lock). Unlocking the middle leaves both sides.
    ///
    /// Caught: a length of `end - start`; an end of the file taken for a byte of it.
    @Test
    void aRangeIsWhatItSays() throws Exception {
        assertEquals(0, set(ALICE, WRITE, 100, END));
        assertEquals(0, set(ALICE, UNLOCK, 200, 299));

        assertEquals(0, setInOther(WRITE, 0, 99));
        assertEquals(0, setInOther(WRITE, 200, 299));
        assertEquals(Errno.EAGAIN, setInOther(READ, 199, 199));
        assertEquals(Errno.EAGAIN, setInOther(READ, 1L << 40, 1L << 40));
        FileLock upper = inTheWay(other, otherNode, lk(otherFh, ALICE, READ, 250, END));
        assertEquals(new FileLock(300, END, WRITE, 0), upper);
        FileLock lower = inTheWay(other, otherNode, lk(otherFh, ALICE, READ, 0, END));
        assertEquals(new FileLock(100, 199, WRITE, 0), lower);
    }

    /// GETLK names the process of this guest that holds the lock; one of another guest has no
    /// number here. Nothing in the way is `F_UNLCK`.
    ///
    /// Caught: the pid of the daemon; the pid that asks.
    @Test
    void theHolderIsNamed() throws Exception {
        assertEquals(0, set(ALICE, READ, 0, 9));
        assertEquals(0, set(BOB, WRITE, 20, 29));
        assertEquals(0, setInOther(WRITE, 40, 49));

        assertEquals(new FileLock(0, 9, READ, (int) ALICE), inTheWay(guest, node, lk(fh, BOB, WRITE, 5, 100)));
        assertEquals(new FileLock(20, 29, WRITE, (int) BOB), inTheWay(guest, node, lk(fh, ALICE, READ, 0, 100)));
        assertEquals(new FileLock(40, 49, WRITE, 0), inTheWay(guest, node, lk(fh, BOB, READ, 0, 100)));
        assertEquals(UNLOCK, inTheWay(guest, node, lk(fh, BOB, READ, 0, 39)).type());
    }

    /// A process of the host is in the way like anybody else, both ways round.
    @Test
    void theHostTakesPart() throws Exception {
        Fd host = guest.sys.openPath(share.resolve("f").toString(), Fcntl.O_RDWR);

        guest.sys.setLock(host, new RangeLock(WRITE, 0, 9));
        assertEquals(Errno.EAGAIN, set(ALICE, READ, 9, 20));
        assertEquals(new FileLock(0, 9, WRITE, 0), inTheWay(guest, node, lk(fh, ALICE, READ, 0, END)));
        Reply notYet = wait(ALICE, WRITE, 0, END);
        assertInstanceOf(Reply.NotYet.class, notYet);
        host.close();
        assertEquals(Reply.EMPTY, ((Reply.NotYet) notYet).attempt().answer());

        Fd second = guest.sys.openPath(share.resolve("f").toString(), Fcntl.O_RDWR);
        assertEquals(Errno.EAGAIN, Guest.errnoOf(() -> guest.sys.setLock(second, new RangeLock(READ, 1000, 1000))));
        second.close();
    }

    /// FLUSH takes the locks of its owner on this file, whichever handle they came through; RELEASE
    /// those of the open file; DESTROY all. No descriptor stays behind.
    ///
    /// Caught: each of the three left out; a descriptor left open after the last unlock.
    @Test
    void locksEndWithTheirHolder() throws Exception {
        long before = descriptors();
        long second = guest.open(node, Fcntl.O_RDWR);

        assertEquals(0, set(ALICE, WRITE, 0, 9));
        assertEquals(0, set(BOB, WRITE, 10, 19));
        guest.ask(new FileRequest.Flush(guest.header(node), new FlushIn(second, ALICE)));
        assertEquals(0, setInOther(WRITE, 0, 9));
        assertEquals(Errno.EAGAIN, setInOther(WRITE, 10, 19));

        guest.ask(new LockRequest.Setlk(guest.header(node), lk(second, BOB, WRITE, 20, 29)));
        guest.release(node, second);
        assertEquals(0, setInOther(WRITE, 10, 29));
        assertEquals(0, setInOther(UNLOCK, 0, END));
        assertEquals(before, descriptors());

        assertEquals(0, set(ALICE, WRITE, 0, 9));
        guest.ask(new SessionRequest.Destroy(guest.header(0)));
        assertEquals(0, setInOther(WRITE, 0, 9));
    }

    /// A waiting lock is not set: what is given up is gone, and a handle that is gone sets nothing.
    ///
    /// Caught: a retry that keeps the open file from its first try.
    @Test
    void whoWaitsHoldsNothing() throws Exception {
        assertEquals(0, setInOther(WRITE, 0, 9));
        long before = descriptors();

        Reply.NotYet first = (Reply.NotYet) wait(ALICE, WRITE, 5, 15);
        Reply.NotYet again = (Reply.NotYet) first.attempt().answer();
        assertEquals(before, descriptors());
        assertEquals(0, set(BOB, WRITE, 10, 15));
        guest.release(node, fh);
        assertEquals(0, setInOther(UNLOCK, 0, END));

        assertEquals(Errno.EBADF, Guest.errnoOf(() -> again.attempt().answer()));
        assertEquals(0, setInOther(WRITE, 0, END));
    }

    // --- flock(2)

    /// Two guests lock the same file exclusively: the second hears EAGAIN. An unlock may come as
    /// SETLKW, which is how flock(2) without `LOCK_NB` sends it.
    ///
    /// Field report: yt-dlp #6823.
    ///
    /// Caught: locks kept within the guest; a refusal of all that may wait.
    @Test
    void aFileHasOneExclusiveHolder() throws Exception {
        assertEquals(0, guest.errno(new LockRequest.Setlk(guest.header(node), flock(fh, WRITE))));
        var take = new LockRequest.Setlk(other.header(otherNode), flock(otherFh, WRITE));
        assertEquals(Errno.EAGAIN, other.errno(take));
        Reply notYet = other.ask(new LockRequest.Setlkw(other.header(otherNode), flock(otherFh, READ)));
        assertInstanceOf(Reply.NotYet.class, notYet);

        assertEquals(Reply.EMPTY, guest.ask(new LockRequest.Setlkw(guest.header(node), flock(fh, UNLOCK))));

        assertEquals(Reply.EMPTY, ((Reply.NotYet) notYet).attempt().answer());
        assertEquals(0, guest.errno(new LockRequest.Setlk(guest.header(node), flock(fh, READ))));
        assertEquals(Errno.EAGAIN, other.errno(take));
        int unlock = (int) ReleaseFlag.FLOCK_UNLOCK.bit();
        guest.ask(new FileRequest.Release(guest.header(node), new ReleaseIn(fh, 0, unlock, ALICE)));
        assertEquals(0, other.errno(take));
    }

    /// The two kinds do not see each other, as on the host.
    @Test
    void theTwoKindsAreIndependent() {
        assertEquals(0, guest.errno(new LockRequest.Setlk(guest.header(node), flock(fh, WRITE))));
        assertEquals(0, setInOther(WRITE, 0, END));
    }
}
