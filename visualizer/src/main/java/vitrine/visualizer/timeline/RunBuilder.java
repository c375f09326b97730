package vitrine.visualizer.timeline;

import java.util.Map;
import java.util.Optional;
import vitrine.trace.Trace;
import vitrine.trace.TraceEvent;

/// Takes events as they come, and makes a [Run] of what there is whenever it is asked.
public final class RunBuilder implements Trace {

    private final Columns columns = new Columns();

    @Override
    public synchronized void add(TraceEvent event) {
        columns.add(event);
    }

    /// How many events there are.
    public synchronized int size() {
        return columns.size();
    }

    /// About how much memory they take.
    synchronized long bytes() {
        return columns.bytes();
    }

    /// The run so far.
    ///
    /// @param about what is known of it, as a capture says it
    /// @param note a sentence if its end is missing
    public Run run(Map<String, String> about, Optional<String> note) {
        return new Run(columns(), about, note, HostFiles.UNSEEN);
    }

    /// The events so far.
    synchronized Columns columns() {
        return new Columns(columns);
    }
}
