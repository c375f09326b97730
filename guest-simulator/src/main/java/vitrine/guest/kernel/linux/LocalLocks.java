package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EAGAIN;
import static vitrine.posix.Errno.EINTR;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Locks that hold within the guest only, because the server has not agreed to keep them
/// (`locks_lock_file_wait` in Linux). Nobody outside hears of them, and other guests lock the same
/// file as they like.
final class LocalLocks {

    private final Map<GuestInode, List<Lock>> files = new WeakHashMap<>();

    /// A lock.
    ///
    /// @param owner whose: two locks of one owner are not in each other's way
    /// @param pid the process that asked
    /// @param end the last byte that is locked
    record Lock(Object owner, int pid, long start, long end, int type) {

        boolean isInTheWayOf(Lock other) {
            boolean overlap = start <= other.end && other.start <= end;
            boolean exclusive = type == Fcntl.F_WRLCK || other.type == Fcntl.F_WRLCK;
            return overlap && exclusive && !isOfSameOwner(other);
        }

        boolean isOfSameOwner(Lock other) {
            return owner.equals(other.owner);
        }

        boolean touches(Lock other) {
            return start - 1 <= other.end && other.start - 1 <= end;
        }

        Lock between(long from, long to) {
            return new Lock(owner, pid, from, to, type);
        }
    }

    /// The lock that is in the way of one that somebody would like to have.
    synchronized Optional<Lock> inTheWay(GuestInode inode, Lock wanted) {
        return held(inode).stream().filter(lock -> lock.isInTheWayOf(wanted)).findFirst();
    }

    /// Whether exactly this lock is held.
    synchronized boolean holds(GuestInode inode, Lock lock) {
        return held(inode).contains(lock);
    }

    /// Sets a lock, or gives it up if its type is `F_UNLCK`.
    ///
    /// @throws ErrnoException EAGAIN if another one is in the way, and nobody is to wait
    synchronized void set(GuestInode inode, Lock lock, boolean wait) throws ErrnoException {
        boolean unlock = lock.type == Fcntl.F_UNLCK;
        while (!unlock && inTheWay(inode, lock).isPresent()) {
            if (!wait) {
                throw new ErrnoException("lock", EAGAIN);
            }
            awaitChange();
        }
        List<Lock> left = new ArrayList<>(held(inode));
        List<Lock> own = left.stream().filter(lock::isOfSameOwner).toList();
        int place = own.isEmpty() ? left.size() : left.indexOf(own.getFirst());
        left.removeAll(own);
        left.addAll(place, changed(own, lock));
        files.put(inode, left);
        notifyAll();
    }

    private void awaitChange() throws ErrnoException {
        try {
            wait();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ErrnoException("lock", EINTR);
        }
    }

    private List<Lock> held(GuestInode inode) {
        return files.getOrDefault(inode, List.of());
    }

    /// The locks of an owner that has set one more, in order: those of a type that touch are one.
    private static List<Lock> changed(List<Lock> own, Lock lock) {
        List<Lock> left = new ArrayList<>();
        Lock grown = lock;
        for (Lock old : own) {
            if (old.type == lock.type && old.touches(grown)) {
                grown = grown.between(Math.min(grown.start, old.start), Math.max(grown.end, old.end));
            } else {
                left.addAll(without(old, lock));
            }
        }
        if (lock.type != Fcntl.F_UNLCK) {
            left.add(grown);
        }
        left.sort(Comparator.comparingLong(Lock::start));
        return left;
    }

    /// What is left of a lock of the same owner.
    private static List<Lock> without(Lock old, Lock cut) {
        List<Lock> left = new ArrayList<>();
        if (old.start < cut.start) {
            left.add(old.between(old.start, Math.min(old.end, cut.start - 1)));
        }
        if (old.end > cut.end) {
            left.add(old.between(Math.max(old.start, cut.end + 1), old.end));
        }
        return left;
    }
}
