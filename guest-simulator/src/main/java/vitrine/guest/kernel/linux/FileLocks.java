package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EBADF;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EOPNOTSUPP;

import vitrine.fuse.LockRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.LockFlag;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.LkIn;
import vitrine.fuse.struct.LkOut;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.RangeLock;

/// fcntl(2) and flock(2): GETLK, SETLK and SETLKW, if the server has agreed to keep the locks.
///
/// The owner of a range is the process, that of a whole file the open file. Locks that would hold
/// within the guest only, because they were not agreed on, are not modelled.
final class FileLocks {

    private final FuseClient client;

    FileLocks(FuseClient client) {
        this.client = client;
    }

    /// By which number the server knows the process. Linux scrambles an address for it.
    static long owner(Task task) {
        return 0x5eed_0000_0000L + task.pid();
    }

    FileLock inTheWay(Task task, LinuxFile file, RangeLock lock) throws ErrnoException {
        LkIn in = in(task, file, lock);
        return client.ask(
                        new LockRequest.Getlk(client.header(task, file.nodeid()), in),
                        (int) LkOut.LAYOUT.byteSize(),
                        LkOut::decode)
                .lk();
    }

    void set(Task task, LinuxFile file, RangeLock lock, boolean wait) throws ErrnoException {
        if (lock.type() == Fcntl.F_RDLCK && !file.readable() || lock.type() == Fcntl.F_WRLCK && !file.writable()) {
            throw new ErrnoException("fcntl", EBADF);
        }
        send(task, file, in(task, file, lock), wait);
    }

    void flock(Task task, LinuxFile file, int operation) throws ErrnoException {
        require(InitFlag.FLOCK_LOCKS);
        int type = switch (operation & ~Fcntl.LOCK_NB) {
            case Fcntl.LOCK_SH -> Fcntl.F_RDLCK;
            case Fcntl.LOCK_EX -> Fcntl.F_WRLCK;
            case Fcntl.LOCK_UN -> Fcntl.F_UNLCK;
            default -> throw new ErrnoException("flock", EINVAL);
        };
        FileLock whole = new FileLock(0, RangeLock.END_OF_FILE, type, task.pid());
        LkIn in = new LkIn(file.fh(), file.fh(), whole, (int) LockFlag.FLOCK.bit());
        send(task, file, in, (operation & Fcntl.LOCK_NB) == 0); // an unlock too (Linux: fuse_setlk)
        file.flocked(type != Fcntl.F_UNLCK);
    }

    private void send(Task task, LinuxFile file, LkIn in, boolean wait) throws ErrnoException {
        var header = client.header(task, file.nodeid());
        client.ask(wait ? new LockRequest.Setlkw(header, in) : new LockRequest.Setlk(header, in));
    }

    private LkIn in(Task task, LinuxFile file, RangeLock lock) throws ErrnoException {
        require(InitFlag.POSIX_LOCKS);
        return new LkIn(file.fh(), owner(task), new FileLock(lock.start(), lock.end(), lock.type(), task.pid()), 0);
    }

    private void require(InitFlag flag) throws ErrnoException {
        if (!client.has(flag)) {
            throw new ErrnoException("locks within the guest are not modelled", EOPNOTSUPP);
        }
    }
}
