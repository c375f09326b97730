package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EBADF;
import static vitrine.posix.Errno.EINVAL;

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
/// The owner of a range is the process, that of a whole file the open file. What the server has not
/// agreed to keep holds within the guest only ([LocalLocks]).
final class FileLocks {

    private final FuseClient client;
    private final LocalLocks ranges = new LocalLocks();
    private final LocalLocks files = new LocalLocks();

    FileLocks(FuseClient client) {
        this.client = client;
    }

    /// By which number the server knows the process. Linux scrambles an address for it.
    static long owner(Task task) {
        return 0x5eed_0000_0000L + task.pid();
    }

    FileLock inTheWay(Task task, LinuxFile file, RangeLock lock) throws ErrnoException {
        if (!client.has(InitFlag.POSIX_LOCKS)) {
            return ranges.inTheWay(file.inode(), own(task, lock))
                    .map(other -> new FileLock(other.start(), other.end(), other.type(), other.pid()))
                    .orElse(new FileLock(lock.start(), lock.end(), Fcntl.F_UNLCK, 0));
        }
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
        if (client.has(InitFlag.POSIX_LOCKS)) {
            send(task, file, in(task, file, lock), wait);
        } else {
            ranges.set(file.inode(), own(task, lock), wait);
        }
    }

    void flock(Task task, LinuxFile file, int operation) throws ErrnoException {
        int type = switch (operation & ~Fcntl.LOCK_NB) {
            case Fcntl.LOCK_SH -> Fcntl.F_RDLCK;
            case Fcntl.LOCK_EX -> Fcntl.F_WRLCK;
            case Fcntl.LOCK_UN -> Fcntl.F_UNLCK;
            default -> throw new ErrnoException("flock", EINVAL);
        };
        if (!client.has(InitFlag.FLOCK_LOCKS)) {
            var lock = new LocalLocks.Lock(file, task.pid(), 0, RangeLock.END_OF_FILE, type);
            if (!files.holds(file.inode(), lock)) {
                released(file); // first, and for good if the new one cannot be had (flock_lock_inode)
                files.set(file.inode(), lock, (operation & Fcntl.LOCK_NB) == 0);
            }
            return;
        }
        FileLock whole = new FileLock(0, RangeLock.END_OF_FILE, type, task.pid());
        LkIn in = new LkIn(file.fh(), file.fh(), whole, (int) LockFlag.FLOCK.bit());
        send(task, file, in, (operation & Fcntl.LOCK_NB) == 0); // an unlock too (Linux: fuse_setlk)
        file.flocked(type != Fcntl.F_UNLCK);
    }

    private void send(Task task, LinuxFile file, LkIn in, boolean wait) throws ErrnoException {
        var header = client.header(task, file.nodeid());
        client.ask(wait ? new LockRequest.Setlkw(header, in) : new LockRequest.Setlk(header, in));
    }

    private static LkIn in(Task task, LinuxFile file, RangeLock lock) {
        return new LkIn(file.fh(), owner(task), new FileLock(lock.start(), lock.end(), lock.type(), task.pid()), 0);
    }

    private static LocalLocks.Lock own(Task task, RangeLock lock) {
        return new LocalLocks.Lock(owner(task), task.pid(), lock.start(), lock.end(), lock.type());
    }

    /// What a close(2) of a process takes with it: all of its ranges, whoever has locked them.
    void closed(Task task, LinuxFile file) throws ErrnoException {
        RangeLock all = new RangeLock(Fcntl.F_UNLCK, 0, RangeLock.END_OF_FILE);
        ranges.set(file.inode(), own(task, all), false);
    }

    /// What goes with the open file.
    void released(LinuxFile file) throws ErrnoException {
        files.set(file.inode(), new LocalLocks.Lock(file, 0, 0, RangeLock.END_OF_FILE, Fcntl.F_UNLCK), false);
    }
}
