package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.LockRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.LockFlag;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.LkIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.RangeLock;

/// Owners of one guest that wait for each other (fcntl(2): `EDEADLK`). Each of them starts with the
/// byte of its number.
class DeadlockTest extends SharedFolder {

    private static final PassthroughOptions LOCKS =
            PassthroughOptions.DEFAULT.with(Feature.POSIX_LOCKS).with(Feature.FLOCKS);
    private static final int OWNERS = 4;

    private long node;
    private long fh;

    @BeforeEach
    void lockAByteEach() throws Exception {
        Files.writeString(share.resolve("f"), "data");
        serve(LOCKS);
        node = guest.node("f");
        fh = guest.open(node, Fcntl.O_RDWR);
        for (int owner = 0; owner < OWNERS; owner++) {
            assertEquals(0, set(owner, Fcntl.F_WRLCK, owner));
        }
    }

    private static LkIn lk(long fh, long owner, int type, long position) {
        return new LkIn(fh, owner, new FileLock(position, position, type, (int) owner + 1), 0);
    }

    private int set(long owner, int type, long position) {
        return guest.errno(new LockRequest.Setlk(guest.header(node), lk(fh, owner, type, position)));
    }

    private Reply ask(LkIn in) throws Exception {
        return guest.ask(new LockRequest.Setlkw(guest.header(node), in));
    }

    /// Asks for a byte that is locked, and has to wait.
    private Reply.Attempt waits(long owner, long position) throws Exception {
        return assertInstanceOf(Reply.NotYet.class, ask(lk(fh, owner, Fcntl.F_WRLCK, position)))
                .attempt();
    }

    private void assertDeadlock(long owner, long position) throws Exception {
        assertEquals(Errno.EDEADLK, Guest.errnoOf(() -> ask(lk(fh, owner, Fcntl.F_WRLCK, position))));
    }

    /// Two wait for each other: the second is told, and the first gets its lock as soon as the
    /// second gives it up.
    ///
    /// Caught: circles that nobody looks for.
    @Test
    void theSecondOfTwoIsTold() throws Exception {
        Reply.Attempt first = waits(0, 1);

        assertDeadlock(1, 0);

        assertInstanceOf(Reply.NotYet.class, first.answer());
        assertEquals(0, set(1, Fcntl.F_UNLCK, 1));
        assertEquals(Reply.EMPTY, first.answer());
    }

    /// A circle may be longer, and lead through several files.
    ///
    /// Caught: a look at the next owner only.
    @Test
    void aCircleOfThreeIsFound() throws Exception {
        Files.writeString(share.resolve("g"), "data");
        long other = guest.node("g");
        long otherFh = guest.open(other, Fcntl.O_RDWR);
        guest.ask(new LockRequest.Setlk(guest.header(other), lk(otherFh, 2, Fcntl.F_WRLCK, 9)));
        waits(0, 1);
        var inOther = new LockRequest.Setlkw(guest.header(other), lk(otherFh, 1, Fcntl.F_WRLCK, 9));
        assertInstanceOf(Reply.NotYet.class, guest.ask(inOther));

        assertDeadlock(2, 0);
    }

    /// Any of several readers may be the one who waits for the writer.
    ///
    /// Caught: locks for reading taken for none.
    @Test
    void everyReaderCounts() throws Exception {
        for (int reader = 1; reader < OWNERS; reader++) {
            assertEquals(0, set(reader, Fcntl.F_RDLCK, 9));
        }
        assertInstanceOf(Reply.NotYet.class, ask(lk(fh, 2, Fcntl.F_RDLCK, 0)));

        assertDeadlock(0, 9);
    }

    /// A chain that has an end waits, and comes undone from there.
    ///
    /// Caught: anybody who waits taken for a circle.
    @Test
    void aChainWaits() throws Exception {
        Reply.Attempt first = waits(0, 1);
        Reply.Attempt second = waits(1, 2);
        Reply.Attempt third = waits(2, 3);

        for (Reply.Attempt attempt : new Reply.Attempt[] {first, second, third}) {
            assertInstanceOf(Reply.NotYet.class, attempt.answer());
        }
        set(3, Fcntl.F_UNLCK, 3);
        assertEquals(Reply.EMPTY, third.answer());
        set(2, Fcntl.F_UNLCK, 2);
        assertEquals(Reply.EMPTY, second.answer());
    }

    /// An owner is not in its own way, nor are two of its threads.
    ///
    /// Caught: an owner that finds its own lock in its way.
    @Test
    void anOwnerIsNotInItsOwnWay() throws Exception {
        waits(0, 1);
        FileLock both = new FileLock(0, 1, Fcntl.F_WRLCK, 1);

        assertInstanceOf(Reply.NotYet.class, ask(new LkIn(fh, 0, both, 0)));
    }

    /// The circle is closed by what another thread of a waiting owner locks.
    ///
    /// Caught: a look at the first try only.
    @Test
    void aCircleThatClosesLaterIsFound() throws Exception {
        assertEquals(0, set(3, Fcntl.F_WRLCK, 9));
        waits(0, 1);
        Reply.Attempt second = waits(1, 9);

        assertEquals(0, set(3, Fcntl.F_UNLCK, 9));
        assertEquals(0, set(0, Fcntl.F_WRLCK, 9));

        assertEquals(Errno.EDEADLK, Guest.errnoOf(second::answer));
    }

    /// Who has its lock does not wait for it any more: the byte may be locked by the other again.
    ///
    /// Caught: a wait that is kept after its reply.
    @Test
    void whoWasGrantedLeavesNoTrace() throws Exception {
        Reply.Attempt first = waits(0, 1);
        set(1, Fcntl.F_UNLCK, 1);
        assertEquals(Reply.EMPTY, first.answer());

        set(0, Fcntl.F_UNLCK, 1);
        assertEquals(0, set(1, Fcntl.F_WRLCK, 1));
        waits(1, 0);
    }

    /// Nor does one that was refused (`EBADF`: the file was closed), nor one whose queue stopped.
    ///
    /// Caught: a wait that is kept after its reply; one that is kept when nobody tries again.
    @Test
    void whoWasRefusedLeavesNoTrace() throws Exception {
        long second = guest.open(node, Fcntl.O_RDWR);
        var closed = assertInstanceOf(Reply.NotYet.class, ask(lk(second, 0, Fcntl.F_WRLCK, 1)));
        Reply.Attempt stopped = waits(0, 1);
        assertDeadlock(1, 0);

        guest.release(node, second);
        assertEquals(Errno.EBADF, Guest.errnoOf(closed.attempt()::answer));
        assertDeadlock(1, 0);
        stopped.giveUp();

        waits(1, 0);
    }

    /// flock(2) does not look for circles, nor do its locks count here (as in Linux).
    ///
    /// Caught: flock(2) noted with the others.
    @Test
    void flockIsNotChecked() throws Exception {
        long second = guest.open(node, Fcntl.O_RDWR);
        FileLock all = new FileLock(0, RangeLock.END_OF_FILE, Fcntl.F_WRLCK, 1);
        int flag = (int) LockFlag.FLOCK.bit();
        guest.ask(new LockRequest.Setlk(guest.header(node), new LkIn(fh, 0, all, flag)));
        waits(1, 0);

        assertInstanceOf(Reply.NotYet.class, ask(new LkIn(second, 0, all, flag)));
    }
}
