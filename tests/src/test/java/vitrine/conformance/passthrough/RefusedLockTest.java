package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.LockRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.LockFlag;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.LkIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.RangeLock;

/// Locks that were not agreed on, are none, or are too many.
class RefusedLockTest extends SharedFolder {

    private static final int READ = Fcntl.F_RDLCK;
    private static final int WRITE = Fcntl.F_WRLCK;
    private static final int UNLOCK = Fcntl.F_UNLCK;
    private static final long END = RangeLock.END_OF_FILE;
    private static final long ALICE = 0xa11ce; // owners
    private static final long BOB = 0xb0b;
    private static final PassthroughOptions LOCKS =
            PassthroughOptions.DEFAULT.with(Feature.POSIX_LOCKS).with(Feature.FLOCKS);

    private long node;
    private long fh;

    @BeforeEach
    void serve() throws Exception {
        Files.writeString(share.resolve("f"), "data");
        serve(LOCKS);
        node = guest.node("f");
        fh = guest.open(node, Fcntl.O_RDWR);
    }

    private static LkIn lk(long fh, long owner, int type, long start, long end) {
        return new LkIn(fh, owner, new FileLock(start, end, type, 1), 0);
    }

    private static LkIn flock(long fh, int type) {
        return new LkIn(fh, ALICE, new FileLock(0, END, type, 1), (int) LockFlag.FLOCK.bit());
    }

    private int set(long owner, int type, long start, long end) {
        return guest.errno(new LockRequest.Setlk(guest.header(node), lk(fh, owner, type, start, end)));
    }

    /// The flags are taken only if the options say so, and only what was taken is done.
    @Test
    void locksAreOffUnlessAskedFor() throws Exception {
        try (Guest plain = new Guest(share, PassthroughOptions.DEFAULT)) {
            long flags = plain.init(38, Guest.ALL_FLAGS).allFlags();
            assertEquals(0, flags & (InitFlag.POSIX_LOCKS.bit() | InitFlag.FLOCK_LOCKS.bit()));
        }
        try (Guest half = new Guest(share, LOCKS, Guest.without(InitFlag.POSIX_LOCKS))) {
            long nodeid = half.node("f");
            long handle = half.open(nodeid, Fcntl.O_RDWR);
            var posix = new LockRequest.Setlk(half.header(nodeid), lk(handle, ALICE, WRITE, 0, 9));
            assertEquals(Errno.ENOSYS, half.errno(posix));
            assertEquals(0, half.errno(new LockRequest.Setlk(half.header(nodeid), flock(handle, WRITE))));
        }
    }

    /// Caught: each check left out.
    @Test
    void whatIsNoLockIsRefused() {
        assertEquals(Errno.EINVAL, set(ALICE, 7, 0, 9));
        assertEquals(Errno.EINVAL, set(ALICE, -1, 0, 9));
        assertEquals(Errno.EINVAL, set(ALICE, 0x10000, 0, 9)); // F_RDLCK, if 16 bits of it were looked at
        assertEquals(Errno.EINVAL, set(ALICE, WRITE, 10, 9));
        assertEquals(Errno.EINVAL, set(ALICE, WRITE, -1, -1));
        assertEquals(Errno.EINVAL, set(ALICE, WRITE, 0, -1));
        for (LkIn in : new LkIn[] {lk(999, ALICE, WRITE, 0, 9), flock(999, UNLOCK), flock(0, WRITE)}) {
            assertEquals(Errno.EBADF, guest.errno(new LockRequest.Setlk(guest.header(node), in)));
            assertEquals(Errno.EBADF, guest.errno(new LockRequest.Setlkw(guest.header(node), in)));
            assertEquals(Errno.EBADF, guest.errno(new LockRequest.Setlk(guest.header(1), in)));
        }
        assertEquals(Errno.EBADF, guest.errno(new LockRequest.Getlk(guest.header(1), lk(fh, ALICE, READ, 0, 9))));
        assertEquals(Errno.EINVAL, guest.errno(new LockRequest.Getlk(guest.header(node), lk(fh, ALICE, UNLOCK, 0, 9))));
        assertEquals(Errno.EINVAL, guest.errno(new LockRequest.Getlk(guest.header(node), flock(fh, WRITE))));
    }

    /// The locks of a guest are memory of the host's kernel: there is an end to them, for one owner
    /// as for many, and to those that come of unlocking every second byte. Unlocking makes room.
    ///
    /// Caught: a growth that counts no splits.
    @Test
    void locksAreLimited() {
        int most = 4096;
        int locked = 0;
        while (locked < 10_000 && set(ALICE, READ, 2L * locked, 2L * locked) == 0) {
            locked++;
        }
        assertEquals(most, locked + 1, "with room for one that is cut in two");
        assertEquals(0, set(BOB, READ, 0, 0));
        assertEquals(Errno.ENOLCK, set(BOB, READ, 2, 2));
        assertEquals(0, set(ALICE, UNLOCK, 0, END));
        assertEquals(0, set(BOB, UNLOCK, 0, END));

        assertEquals(0, set(ALICE, WRITE, 0, END));
        int holes = 0;
        while (holes < 10_000 && set(ALICE, UNLOCK, 2L * holes + 1, 2L * holes + 1) == 0) {
            holes++;
        }
        assertEquals(most, holes + 1);
        assertEquals(0, set(ALICE, UNLOCK, 0, END));
        assertEquals(0, set(BOB, WRITE, 0, END));
    }
}
