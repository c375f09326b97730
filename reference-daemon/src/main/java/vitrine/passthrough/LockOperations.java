package vitrine.passthrough;

import vitrine.fuse.FileRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.LockFlag;
import vitrine.fuse.flag.ReleaseFlag;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.LkIn;
import vitrine.fuse.struct.LkOut;
import vitrine.passthrough.held.HandleTable;
import vitrine.passthrough.held.LockTable;
import vitrine.passthrough.held.OpenFile;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.RangeLock;
import vitrine.posix.Syscalls;

/// What the requests about locks do on the host, where they hold against other guests and against
/// the host's own processes.
///
/// A lock of flock(2) belongs to the guest's open file, and so to ours, which is open exactly as
/// long. Those of fcntl(2) belong to owners, see [LockTable]. Nobody finds deadlocks between
/// guests, or of flock(2); nor do locks that are waited for come in any order.
final class LockOperations {

    private final Syscalls sys;
    private final Negotiation negotiation;
    private final HandleTable handles;
    private final LockTable locks;

    LockOperations(Share share) {
        sys = share.sys();
        negotiation = share.negotiation();
        handles = share.handles();
        locks = share.locks();
    }

    /// GETLK: which lock of fcntl(2) would be in the way.
    LkOut getlk(LockRequest.Getlk request) throws ErrnoException {
        LkIn in = agreed(request.in());
        RangeLock wanted = range(in.lk());
        if (in.has(LockFlag.FLOCK) || wanted.isUnlock()) {
            throw new ErrnoException("GETLK", Errno.EINVAL);
        }
        try (OpenFile file = handles.file(in.fh(), request.nodeid())) {
            LockTable.InTheWay found = locks.inTheWay(file, in.owner(), wanted);
            RangeLock lock = found.lock();
            return lock.isUnlock()
                    ? new LkOut(new FileLock(wanted.start(), wanted.end(), Fcntl.F_UNLCK, 0))
                    : new LkOut(new FileLock(lock.start(), lock.end(), lock.type(), found.pid()));
        }
    }

    /// SETLK: locks or unlocks, or fails at once.
    Reply setlk(LockRequest.Setlk request) throws ErrnoException {
        set(request.nodeid(), agreed(request.in()));
        return Reply.EMPTY;
    }

    /// SETLKW: locks as soon as it can. An unlock may come this way too: flock(2) sends it unless
    /// it was called with `LOCK_NB`.
    Reply setlkw(LockRequest.Setlkw request) throws ErrnoException {
        return new Waiter(request.nodeid(), agreed(request.in())).answer();
    }

    /// A SETLKW. The handle is looked up afresh each time: the guest may have given it up
    /// meanwhile, and then nothing must be locked any more (`EBADF`).
    private final class Waiter implements Reply.Attempt {

        private final long nodeid;
        private final LkIn in;

        Waiter(long nodeid, LkIn in) {
            this.nodeid = nodeid;
            this.in = in;
        }

        @Override
        public Reply answer() throws ErrnoException {
            boolean waits = false;
            try {
                set(nodeid, in);
                return Reply.EMPTY;
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EAGAIN) {
                    throw e;
                }
                if (!in.has(LockFlag.FLOCK)) {
                    locks.waits(this, new LockTable.Wait(nodeid, in.owner(), range(in.lk())));
                }
                waits = true;
                return new Reply.NotYet(this, Reply.WaitsFor.A_LOCK);
            } finally {
                if (!waits) {
                    giveUp();
                }
            }
        }

        @Override
        public void giveUp() {
            locks.waitsNoMore(this);
        }
    }

    /// FLUSH: the locks of its owner on this file end.
    void flush(FileRequest.Flush request) {
        locks.drop(request.nodeid(), request.in().lockOwner());
    }

    /// RELEASE: what was locked by this open file ends, now and not when the last request that
    /// still uses it is done.
    void release(FileRequest.Release request) throws ErrnoException {
        if (!negotiation.has(InitFlag.POSIX_LOCKS) && !negotiation.has(InitFlag.FLOCK_LOCKS)) {
            return;
        }
        try (OpenFile file = handles.file(request.in().fh(), request.nodeid())) {
            locks.drop(file);
            if (request.in().has(ReleaseFlag.FLOCK_UNLOCK)) {
                sys.flock(file.fd(), Fcntl.LOCK_UN);
            }
        }
    }

    private void set(long nodeid, LkIn in) throws ErrnoException {
        RangeLock lock = range(in.lk());
        try (OpenFile file = handles.file(in.fh(), nodeid)) {
            if (in.has(LockFlag.FLOCK)) {
                sys.flock(file.fd(), flockOperation(lock.type()));
                file.setLocked(!lock.isUnlock());
            } else {
                locks.set(file, in.owner(), in.lk().pid(), lock);
            }
        }
    }

    private LkIn agreed(LkIn in) throws ErrnoException {
        if (!negotiation.has(in.has(LockFlag.FLOCK) ? InitFlag.FLOCK_LOCKS : InitFlag.POSIX_LOCKS)) {
            throw new ErrnoException("locks that were not agreed on", Errno.ENOSYS);
        }
        return in;
    }

    /// Start and end are unsigned on the wire, and must be offsets of a file all the same.
    private static RangeLock range(FileLock lock) throws ErrnoException {
        boolean known = lock.type() == Fcntl.F_RDLCK || lock.type() == Fcntl.F_WRLCK || lock.type() == Fcntl.F_UNLCK;
        if (!known || lock.start() < 0 || lock.end() < lock.start()) {
            throw new ErrnoException("a lock that is none: " + lock, Errno.EINVAL);
        }
        return new RangeLock(lock.type(), lock.start(), lock.end());
    }

    private static int flockOperation(int type) {
        return switch (type) {
            case Fcntl.F_RDLCK -> Fcntl.LOCK_SH | Fcntl.LOCK_NB;
            case Fcntl.F_WRLCK -> Fcntl.LOCK_EX | Fcntl.LOCK_NB;
            default -> Fcntl.LOCK_UN;
        };
    }
}
