package vitrine.trace;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A capture file as it was read.
///
/// @param version of the file format
/// @param about what the writer said of the run
/// @param events in the order of the file
/// @param note a sentence for the reader if the file ends before the capture was closed
public record Capture(int version, Map<String, String> about, List<TraceEvent> events, Optional<String> note) {

    /// Keeps its own copies.
    public Capture {
        about = Map.copyOf(about);
        events = List.copyOf(events);
    }
}
