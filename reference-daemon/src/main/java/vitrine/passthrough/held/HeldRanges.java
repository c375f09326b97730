package vitrine.passthrough.held;

import java.util.Map;
import java.util.TreeMap;
import vitrine.posix.Fcntl;
import vitrine.posix.RangeLock;

/// What one owner has locked of one file: ranges that do not overlap, kept as the kernel keeps them
/// (fcntl(2): "Advisory record locking").
///
/// A new lock takes the place of what it covers. What sticks out of it on either side stays as it
/// was, so that unlocking the middle leaves two; neighbours of the same type become one.
final class HeldRanges {

    private final TreeMap<Long, RangeLock> byStart = new TreeMap<>();

    /// Notes that the kernel has set this lock, or has given it up.
    void set(RangeLock lock) {
        splitBefore(lock.start());
        if (lock.end() != RangeLock.END_OF_FILE) {
            splitBefore(lock.end() + 1);
        }
        byStart.subMap(lock.start(), true, lock.end(), true).clear();
        if (!lock.isUnlock()) {
            add(lock);
        }
    }

    /// By how many ranges [#set] could make this longer, at most.
    int growth(RangeLock lock) {
        if (!lock.isUnlock()) {
            return 2; // itself, and the range that it cuts in two
        }
        var before = byStart.lowerEntry(lock.start());
        return before != null && before.getValue().end() > lock.end() ? 1 : 0;
    }

    /// Whether this is one of the ranges, exactly.
    boolean has(RangeLock lock) {
        return lock.equals(byStart.get(lock.start()));
    }

    /// Whether one of the ranges is in the way of somebody else's `lock`.
    boolean conflictsWith(RangeLock lock) {
        Long before = byStart.floorKey(lock.start());
        long from = before == null ? lock.start() : before;
        return byStart.subMap(from, true, lock.end(), true).values().stream()
                .anyMatch(held ->
                        held.end() >= lock.start() && (held.type() == Fcntl.F_WRLCK || lock.type() == Fcntl.F_WRLCK));
    }

    /// How many ranges there are.
    int count() {
        return byStart.size();
    }

    private void splitBefore(long position) {
        Map.Entry<Long, RangeLock> before = byStart.lowerEntry(position);
        if (before != null && before.getValue().end() >= position) {
            RangeLock whole = before.getValue();
            byStart.put(whole.start(), new RangeLock(whole.type(), whole.start(), position - 1));
            byStart.put(position, new RangeLock(whole.type(), position, whole.end()));
        }
    }

    private void add(RangeLock lock) {
        RangeLock merged = lock;
        var before = byStart.lowerEntry(lock.start());
        if (before != null
                && before.getValue().end() == lock.start() - 1
                && before.getValue().type() == lock.type()) {
            merged = new RangeLock(lock.type(), before.getValue().start(), lock.end());
        }
        RangeLock after = lock.end() == RangeLock.END_OF_FILE ? null : byStart.get(lock.end() + 1);
        if (after != null && after.type() == lock.type()) {
            byStart.remove(after.start());
            merged = new RangeLock(lock.type(), merged.start(), after.end());
        }
        byStart.put(merged.start(), merged);
    }
}
