package vitrine.trace;

import java.util.ArrayList;
import java.util.List;

/// A trace in memory: for tests, for the demo, for a short look.
public final class TraceList implements Trace {

    /// How many events a list keeps unless told otherwise: about 200 bytes each, so 200 MB.
    public static final int DEFAULT_LIMIT = 1_000_000;

    private final int limit;
    private final List<TraceEvent> events = new ArrayList<>();
    private TraceEvent firstLost;
    private long lost;

    /// A list with room for [#DEFAULT_LIMIT] events.
    public TraceList() {
        this(DEFAULT_LIMIT);
    }

    /// A list with room for `limit` events; those that come later are counted.
    public TraceList(int limit) {
        this.limit = limit;
    }

    @Override
    public synchronized void add(TraceEvent event) {
        if (events.size() < limit) {
            events.add(event);
            return;
        }
        if (lost++ == 0) {
            firstLost = event;
        }
    }

    /// The events so far in the order they came, with a [TraceEvent.Dropped] at the end if some did
    /// not fit.
    public synchronized List<TraceEvent> events() {
        if (lost == 0) {
            return List.copyOf(events);
        }
        List<TraceEvent> withGap = new ArrayList<>(events);
        withGap.add(TraceEvent.Dropped.insteadOf(firstLost, lost));
        return List.copyOf(withGap);
    }

    /// Forgets all events, and that some were lost.
    public synchronized void clear() {
        events.clear();
        firstLost = null;
        lost = 0;
    }
}
