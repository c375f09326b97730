package vitrine.visualizer.timeline;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// What took how long, for one lane of a timeline: sorted by beginning, side by side where several
/// things went on at once.
public final class Spans {

    /// The lanes of a timeline.
    public enum Lane {
        /// A program's system call, from its start to its return.
        GUEST,
        /// A request, from the driver's queueing until the device gave it back.
        QUEUE,
        /// A request, from the device's taking until it gave it back.
        DAEMON,
        /// A system call of the host.
        HOST
    }

    /// More than so many at once share the last row.
    public static final int ROWS = 6;

    private final long[] begins;
    private final long[] ends;
    private final int[] events;
    private final boolean[] failed;
    private final byte[] rows;
    private final Pyramid pyramid;
    private int rowCount = 1;

    private Spans(long[] begins, long[] ends, int[] events, boolean[] failed) {
        this.begins = begins;
        this.ends = ends;
        this.events = events;
        this.failed = failed;
        this.rows = new byte[begins.length];
        long[] free = new long[ROWS];
        Arrays.fill(free, Long.MIN_VALUE);
        for (int i = 0; i < begins.length; i++) {
            int row = 0;
            while (row < ROWS - 1 && free[row] > begins[i]) {
                row++;
            }
            rows[i] = (byte) row;
            free[row] = Math.max(free[row], ends[i]);
            rowCount = Math.max(rowCount, row + 1);
        }
        this.pyramid = new Pyramid(this);
    }

    static Spans of(Run run, Lane lane) {
        Growing spans = new Growing();
        switch (lane) {
            case GUEST -> guest(run, spans);
            case QUEUE -> run.stories().all().forEach(story -> spans.add(story.waits(), story.pushed(), story));
            case DAEMON -> run.stories().all().forEach(story -> spans.add(story.popped(), story.pushed(), story));
            case HOST -> {
                Columns columns = run.columns();
                for (int n = 0; n < run.size(); n++) {
                    if (run.kind(n) == Kind.HOST_CALL) {
                        long begin = columns.nanos(n) - Math.max(0, columns.b(n));
                        spans.add(begin, columns.nanos(n), n, run.error(n) != 0);
                    }
                }
            }
        }
        return spans.sorted();
    }

    private static void guest(Run run, Growing spans) {
        Map<Long, Integer> entered = new HashMap<>();
        Columns columns = run.columns();
        for (int n = 0; n < run.size(); n++) {
            if (run.kind(n) == Kind.GUEST_CALL_ENTERED) {
                entered.put(columns.call(n), n);
            } else if (run.kind(n) == Kind.GUEST_CALL_RETURNED) {
                Integer begin = entered.remove(columns.call(n));
                if (begin != null) {
                    spans.add(columns.nanos(begin), columns.nanos(n), begin, run.error(n) != 0);
                }
            }
        }
    }

    /// Spans in the order of the trace.
    private static final class Growing {
        private long[] begins = new long[64];
        private long[] ends = new long[64];
        private final IntList events = new IntList();
        private final BitSet failed = new BitSet();

        void add(long begin, long end, Story story) {
            add(begin, end, story.begin(), story.error() != 0);
        }

        /// A span that did not begin or end is none.
        void add(long begin, long end, int event, boolean hasFailed) {
            if (begin == Story.NEVER || end == Story.NEVER || end < begin) {
                return;
            }
            int size = events.size();
            if (size == begins.length) {
                begins = Arrays.copyOf(begins, 2 * size);
                ends = Arrays.copyOf(ends, 2 * size);
            }
            begins[size] = begin;
            ends[size] = end;
            failed.set(size, hasFailed);
            events.add(event);
        }

        Spans sorted() {
            int size = events.size();
            int[] order = Order.by(size, i -> begins[i]);
            long[] sortedBegins = new long[size];
            long[] sortedEnds = new long[size];
            int[] sortedEvents = new int[size];
            boolean[] sortedFailed = new boolean[size];
            for (int i = 0; i < size; i++) {
                sortedBegins[i] = begins[order[i]];
                sortedEnds[i] = ends[order[i]];
                sortedEvents[i] = events.get(order[i]);
                sortedFailed[i] = failed.get(order[i]);
            }
            return new Spans(sortedBegins, sortedEnds, sortedEvents, sortedFailed);
        }
    }

    /// How many there are.
    public int size() {
        return begins.length;
    }

    /// When one begins.
    public long begin(int i) {
        return begins[i];
    }

    /// When it ends.
    public long end(int i) {
        return ends[i];
    }

    /// The event that it begins with; of a system call of the host, the only one.
    public int event(int i) {
        return events[i];
    }

    /// Whether it ended with an error.
    public boolean failed(int i) {
        return failed[i];
    }

    /// Which row it is in, from 0.
    public int row(int i) {
        return rows[i];
    }

    /// How many rows there are.
    public int rowCount() {
        return rowCount;
    }

    /// Tells of all that are in sight, several at once where they are too short to be seen.
    public void look(Pyramid.Sight sight, Pyramid.Visitor visitor) {
        pyramid.look(sight, visitor);
    }
}
