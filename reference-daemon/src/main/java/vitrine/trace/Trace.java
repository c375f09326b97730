package vitrine.trace;

/// Where events go: a list in a test, a file from a daemon that serves a real guest.
///
/// A trace is bounded. What no longer fits is counted and shown as a gap
/// ([TraceEvent.Dropped]); it is never waited for, because then watching would change what is
/// watched.
@FunctionalInterface
public interface Trace {

    /// Takes an event, or counts it as lost. Never blocks and never fails; any thread may call.
    void add(TraceEvent event);
}
