package vitrine.guest.kernel.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// The pages of a file that the guest has: real bytes, which programs read, write and map.
///
/// A page of which only a part is known is not kept. Pages that a READ is to bring have their
/// places already, and whoever needs one waits. Behind the end of the file there are zeros.
public final class PageCache {

    /// Bytes of a page.
    public static final int PAGE = 4096;

    private final ReentrantLock lock = new ReentrantLock();
    private final NavigableMap<Long, Page> pages = new TreeMap<>();
    private final Arrivals arrivals = new Arrivals();

    /// Held by who looks for a page and reads it if it is missing, so that no page is read twice.
    public ReentrantLock lock() {
        return lock;
    }

    private <T> T locked(java.util.function.Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /// Whether there are no pages.
    public boolean isEmpty() {
        return locked(pages::isEmpty);
    }

    /// How many pages there are.
    public int size() {
        return locked(pages::size);
    }

    /// Whether any page is dirty.
    public boolean isDirty() {
        return locked(() -> pages.values().stream().anyMatch(page -> page.dirty));
    }

    /// Whether the page is there. Waits for it if it is on its way.
    public boolean has(long number) {
        return locked(() -> {
            arrivals.await(number, number + 1);
            return complete(number) != null;
        });
    }

    private Page complete(long number) {
        Page page = pages.get(number);
        return page == null || page.failed ? null : page;
    }

    /// Whether the page is there, or on its way, or should have come and did not.
    public boolean knows(long number) {
        return locked(() -> pages.containsKey(number));
    }

    /// Keeps places for what a READ is to bring.
    public void expect(Arrival arrival) {
        locked(() -> {
            fill(arrival.run(), new byte[0]);
            arrivals.add(arrival);
            arrivals.takeBack();
            return null;
        });
    }

    /// Takes in what is back, unless somebody is at it.
    void takeBack() {
        if (lock.tryLock()) {
            try {
                arrivals.takeBack();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Waits for all that is on its way.
    public void await() {
        locked(() -> {
            arrivals.await(0, Long.MAX_VALUE);
            return null;
        });
    }

    /// Whether the page is marked; it is not afterwards.
    public boolean takeMark(long number) {
        return locked(() -> {
            Page page = pages.get(number);
            boolean marked = page != null && page.marked;
            if (marked) {
                page.marked = false;
            }
            return marked;
        });
    }

    /// Marks a page, if it is there or on its way.
    public void mark(long number) {
        locked(() -> {
            Page page = pages.get(number);
            return page != null && (page.marked = true);
        });
    }

    /// How many pages right before this one are known, at most so many.
    public long cachedBefore(long number, long most) {
        return locked(() -> known(number, -1, most));
    }

    /// How many right behind it are.
    public long cachedBehind(long number, long most) {
        return locked(() -> known(number, 1, most));
    }

    private long known(long number, int step, long most) {
        long count = 0;
        while (count < most && pages.containsKey(number + step * (count + 1))) {
            count++;
        }
        return count;
    }

    /// The runs of missing pages in a piece of the file, none of them longer than `most`.
    public List<Run> missing(long first, long end, int most) {
        return locked(() -> runs(first, end, most, false));
    }

    /// The runs of dirty pages from a page on, none of them longer than `most`.
    public List<Run> dirty(long first, int most) {
        return locked(() -> pages.isEmpty() ? List.of() : runs(first, pages.lastKey() + 1, most, true));
    }

    private List<Run> runs(long first, long end, int most, boolean dirty) {
        List<Run> runs = new ArrayList<>();
        long number = dirty && pages.ceilingKey(first) != null ? pages.ceilingKey(first) : first;
        while (number < end) {
            int count = 0;
            while (count < most && number + count < end && wanted(number + count, dirty)) {
                count++;
            }
            if (count > 0) {
                runs.add(new Run(number, count));
                number += count;
            } else {
                Long next = dirty ? pages.higherKey(number) : Long.valueOf(number + 1);
                number = next == null ? end : next;
            }
        }
        return runs;
    }

    private boolean wanted(long number, boolean dirty) {
        Page page = pages.get(number);
        return dirty ? page != null && page.dirty : page == null;
    }

    /// Takes what a READ brought; behind it there are zeros.
    public void fill(Run run, byte[] bytes) {
        locked(() -> {
            for (int i = 0; i < run.count(); i++) {
                Page page = pages.computeIfAbsent(run.first() + i, _ -> new Page());
                page.failed = false;
                int from = i * PAGE;
                if (from < bytes.length) {
                    System.arraycopy(bytes, from, page.bytes, 0, Math.min(PAGE, bytes.length - from));
                }
            }
            return null;
        });
    }

    /// A READ of these pages has failed.
    public void fail(Run run) {
        locked(() -> {
            pages.subMap(run.first(), run.first() + run.count()).values().forEach(page -> page.failed = true);
            return null;
        });
    }

    /// A copy of bytes within one page that is there.
    ///
    /// @return how many there were until the page's end
    public int copyOut(long offset, byte[] into, int at, int count) {
        return locked(() -> {
            arrivals.await(offset / PAGE, offset / PAGE + 1);
            int within = (int) (offset % PAGE);
            int size = Math.min(count, PAGE - within);
            System.arraycopy(pages.get(offset / PAGE).bytes, within, into, at, size);
            return size;
        });
    }

    /// Stores bytes within one page. It has to be there, unless they fill it.
    ///
    /// @return false if the page is not there and is not kept: the rest of it is not known
    public boolean store(long offset, byte[] from, int at, int count) {
        return locked(() -> {
            long number = offset / PAGE;
            arrivals.await(number, number + 1);
            if (count == PAGE) {
                pages.computeIfAbsent(number, _ -> new Page()).failed = false;
            }
            Page page = complete(number);
            if (page != null) {
                System.arraycopy(from, at, page.bytes, (int) (offset % PAGE), count);
            }
            return page != null;
        });
    }

    /// The page has what the server has not.
    public void makeDirty(long number) {
        locked(() -> pages.get(number).dirty = true);
    }

    /// What a run holds, which is clean from now on.
    public byte[] takeDirty(Run run) {
        return locked(() -> {
            byte[] bytes = new byte[run.bytes()];
            for (int i = 0; i < run.count(); i++) {
                Page page = pages.get(run.first() + i);
                if (page != null) { // cut off meanwhile
                    System.arraycopy(page.bytes, 0, bytes, i * PAGE, PAGE);
                    page.dirty = false;
                }
            }
            return bytes;
        });
    }

    /// Drops all pages.
    public void drop() {
        locked(() -> {
            await();
            pages.clear();
            return null;
        });
    }

    /// Drops the pages from one to another, which is not among them.
    public void drop(long first, long end) {
        if (first < end) {
            locked(() -> {
                arrivals.await(first, end);
                pages.subMap(first, end).clear();
                return null;
            });
        }
    }

    /// A hole from one place to another: whole pages are dropped, of the others a part is zero.
    public void punch(long offset, long end) {
        locked(() -> {
            arrivals.await(offset / PAGE, end / PAGE + 1);
            drop((offset + PAGE - 1) / PAGE, end / PAGE);
            for (Map.Entry<Long, Page> page :
                    pages.subMap(offset / PAGE, true, end / PAGE, true).entrySet()) {
                long start = page.getKey() * PAGE;
                int from = (int) Math.max(0, offset - start);
                int to = (int) Math.min(PAGE, end - start);
                if (from < to) {
                    Arrays.fill(page.getValue().bytes, from, to, (byte) 0);
                }
            }
            return null;
        });
    }

    /// The file ends here now: pages behind the end are dropped, the rest of the last one is zero.
    public void truncate(long size) {
        locked(() -> {
            arrivals.await(size / PAGE, Long.MAX_VALUE);
            pages.tailMap((size + PAGE - 1) / PAGE, true).clear();
            Page last = pages.get(size / PAGE);
            if (last != null) {
                Arrays.fill(last.bytes, (int) (size % PAGE), PAGE, (byte) 0);
            }
            return null;
        });
    }
}
