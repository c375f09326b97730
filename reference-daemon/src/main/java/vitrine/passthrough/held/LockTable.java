package vitrine.passthrough.held;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.RangeLock;
import vitrine.posix.Syscalls;

/// Who in the guest holds which locks of fcntl(2).
///
/// To the host all processes of the guest are one, the daemon, and locks of one process never
/// conflict. So each owner gets, for each file that it locks, an open file description of its own,
/// and the locks belong to that: they conflict with each other, with those of other guests, and
/// with those of the host's processes. It lasts as long as the owner holds anything in the file.
///
/// The ranges are noted here too, because the host cannot say which process of the guest holds one,
/// and because somebody has to count them. No call here waits, so one lock for all is enough.
public final class LockTable {

    /// How many ranges all owners may have locked together. Each takes memory of the host's kernel,
    /// which also walks along all of a file's.
    static final int MOST = 4096;

    /// How many waiting requests are followed to find a circle: each costs a look at all the
    /// others, and a guest may have many. A longer circle goes unnoticed.
    private static final int MOST_STEPS = 64;

    private final Syscalls sys;
    private final DescriptorBudget budget;
    private final Map<Long, Map<Long, Owner>> byNodeid = new HashMap<>();
    private final Map<Object, Wait> waits = new ConcurrentHashMap<>(); // by request; put in under the lock
    private volatile int ranges; // all of them; written under the lock

    /// Who holds locks in a file.
    static final class Owner extends SharedDescriptor {
        final HeldRanges held = new HeldRanges();
        int pid; // the guest's, that locked last
        OpenFile through; // what it locked last through

        private Owner(DescriptorBudget budget, Fd fd) {
            super(budget, fd);
        }
    }

    /// What an owner waits for.
    public record Wait(long nodeid, long owner, RangeLock lock) {}

    public LockTable(Syscalls sys, DescriptorBudget budget) {
        this.sys = sys;
        this.budget = budget;
    }

    /// The guest's process that holds a lock in the way of `lock`, and which lock that is.
    ///
    /// @param lock an `F_UNLCK` if nothing is in the way
    /// @param pid 0 if the holder is on the host or in another guest
    public record InTheWay(RangeLock lock, int pid) {}

    /// Which lock would be in the way of this one.
    public synchronized InTheWay inTheWay(OpenFile file, long owner, RangeLock lock) throws ErrnoException {
        Map<Long, Owner> owners = byNodeid.getOrDefault(file.nodeid(), Map.of());
        Owner self = owners.get(owner);
        RangeLock found = sys.lockInTheWayOf(self == null ? file.fd() : self.fd(), lock);
        int pid = found.isUnlock() ? 0 : pidOfHolder(owners, self, found);
        return new InTheWay(found, pid);
    }

    /// Locks a range, changes its lock, or gives it up.
    ///
    /// @param pid the process that asks
    /// @throws ErrnoException `EAGAIN` if a lock is in the way, `ENOLCK` if there are too many
    public synchronized void set(OpenFile file, long owner, int pid, RangeLock lock) throws ErrnoException {
        Owner known = byNodeid.getOrDefault(file.nodeid(), Map.of()).get(owner);
        if (known == null && lock.isUnlock()) {
            return;
        }
        int growth = known == null ? 1 : known.held.growth(lock);
        if (growth > 0 && ranges + growth > MOST) {
            throw new ErrnoException(ranges + " locks", Errno.ENOLCK);
        }
        Owner self = known != null ? known : enter(file, owner, lock);
        int before = self.held.count();
        try {
            sys.setLock(self.fd(), lock);
            self.held.set(lock);
            self.pid = pid;
            self.through = file;
        } finally {
            ranges += self.held.count() - before;
            removeIfIdle(file.nodeid(), owner, self);
        }
    }

    /// Notes that a request waits, until [#waitsNoMore]. To be called anew after each try in vain,
    /// for the circle may be closed by what another thread of an owner locks meanwhile.
    ///
    /// An open file whose own locks these are (`F_OFD_SETLKW` in the guest) cannot be told from a
    /// process, so it is refused as well, where Linux lets it wait.
    ///
    /// @throws ErrnoException `EDEADLK` if it would wait for an owner that waits for its own
    public synchronized void waits(Object request, Wait wait) throws ErrnoException {
        if (waitsForItself(wait)) {
            throw new ErrnoException("locks in a circle", Errno.EDEADLK);
        }
        waits.put(request, wait);
    }

    /// The request has its reply, or nobody will try it again.
    public void waitsNoMore(Object request) {
        waits.remove(request);
    }

    /// From owner to owner along what is held and waited for (fs/locks.c: posix_locks_deadlock).
    private boolean waitsForItself(Wait wait) {
        Set<Wait> left = new HashSet<>(waits.values());
        Deque<Wait> next = new ArrayDeque<>(List.of(wait));
        for (int step = 0; step < MOST_STEPS && !next.isEmpty(); step++) {
            Wait at = next.remove();
            if (isInTheWayOf(at, wait.owner())) {
                return true;
            }
            left.removeIf(other -> isInTheWayOf(at, other.owner()) && next.add(other));
        }
        return false;
    }

    private boolean isInTheWayOf(Wait wait, long owner) {
        Owner holder = byNodeid.getOrDefault(wait.nodeid(), Map.of()).get(owner);
        return owner != wait.owner() && holder != null && holder.held.conflictsWith(wait.lock());
    }

    /// FLUSH: a process that closes a file, through whichever descriptor, loses its locks there.
    public void drop(long nodeid, long owner) {
        if (ranges == 0) {
            return; // the usual case: nobody locks
        }
        synchronized (this) {
            Owner self = byNodeid.getOrDefault(nodeid, Map.of()).get(owner);
            if (self != null) {
                remove(nodeid, owner, self);
            }
        }
    }

    /// RELEASE: what was locked through this open file last, and was not given up since, belongs to
    /// the open file itself (`F_OFD_SETLK` in the guest), or to a guest that forgets to FLUSH.
    public void drop(OpenFile file) {
        if (ranges == 0) {
            return;
        }
        synchronized (this) {
            Map<Long, Owner> owners = Map.copyOf(byNodeid.getOrDefault(file.nodeid(), Map.of()));
            owners.forEach((owner, self) -> {
                if (self.through == file) {
                    remove(file.nodeid(), owner, self);
                }
            });
        }
    }

    /// How many ranges are locked.
    public int ranges() {
        return ranges;
    }

    /// Gives all locks up: the guest's file system starts anew, or is gone.
    public synchronized void clear() {
        byNodeid.values().forEach(owners -> owners.values().forEach(Owner::close));
        byNodeid.clear();
        waits.clear();
        ranges = 0;
    }

    /// An owner that tries in vain again and again shall not open the file each time: programs on
    /// the host may be watching it (inotify(7)).
    private Owner enter(OpenFile file, long owner, RangeLock lock) throws ErrnoException {
        if (!sys.lockInTheWayOf(file.fd(), lock).isUnlock()) {
            throw new ErrnoException("a lock is in the way", Errno.EAGAIN);
        }
        Owner self = new Owner(budget, open(file));
        byNodeid.computeIfAbsent(file.nodeid(), _ -> new HashMap<>()).put(owner, self);
        return self;
    }

    /// For both kinds of lock, if the host lets the file be opened for writing at all: it does not
    /// for a program that is running, nor on a file system that is read-only.
    private Fd open(OpenFile file) throws ErrnoException {
        try {
            budget.requireRoom();
            return sys.reopen(file.fd(), Fcntl.O_RDWR);
        } catch (ErrnoException e) {
            return switch (e.errno()) {
                case Errno.EROFS, Errno.ETXTBSY, Errno.EACCES, Errno.EPERM -> sys.reopen(file.fd(), Fcntl.O_RDONLY);
                case Errno.EMFILE, Errno.ENFILE -> throw new ErrnoException(e.call(), Errno.ENOLCK);
                default -> throw e;
            };
        }
    }

    /// The kernel tells the whole range that somebody holds, so it is exactly one of theirs.
    private static int pidOfHolder(Map<Long, Owner> owners, Owner self, RangeLock found) {
        return owners.values().stream()
                .filter(owner -> owner != self && owner.held.has(found))
                .mapToInt(owner -> owner.pid)
                .findAny()
                .orElse(0);
    }

    private void removeIfIdle(long nodeid, long owner, Owner self) {
        if (self.held.count() == 0) {
            remove(nodeid, owner, self);
        }
    }

    /// The locks go with the last descriptor of their open file description.
    private void remove(long nodeid, long owner, Owner self) {
        ranges -= self.held.count();
        self.close();
        Map<Long, Owner> owners = byNodeid.get(nodeid);
        owners.remove(owner);
        if (owners.isEmpty()) {
            byNodeid.remove(nodeid);
        }
    }
}
