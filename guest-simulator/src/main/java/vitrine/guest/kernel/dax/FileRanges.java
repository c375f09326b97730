package vitrine.guest.kernel.dax;

import java.util.List;
import java.util.TreeMap;

/// Which parts of a file are in the window.
///
/// Guarded by the [WindowRanges].
final class FileRanges {

    private final long nodeid;
    private final TreeMap<Long, Range> ranges = new TreeMap<>(); // by number in the file

    /// 2 MiB of a file in a slot of the window, from SETUPMAPPING to REMOVEMAPPING.
    static final class Range {
        final FileRanges file;
        final long number; // in the file
        final long slot; // where it is in the window, in bytes
        boolean writable;
        int users; // accesses under way

        Range(FileRanges file, long number, long slot, boolean writable) {
            this.file = file;
            this.number = number;
            this.slot = slot;
            this.writable = writable;
        }
    }

    FileRanges(long nodeid) {
        this.nodeid = nodeid;
    }

    long nodeid() {
        return nodeid;
    }

    /// The range with this number; null if it is not in the window.
    Range at(long number) {
        return ranges.get(number);
    }

    /// The first one that nobody is using; null if there is none.
    Range firstIdle() {
        return ranges.values().stream()
                .filter(range -> range.users == 0)
                .findFirst()
                .orElse(null);
    }

    void add(Range range) {
        ranges.put(range.number, range);
    }

    void remove(Range range) {
        ranges.remove(range.number);
    }

    /// All of them, the last part of the file first.
    List<Range> backwards() {
        return List.copyOf(ranges.descendingMap().values());
    }
}
