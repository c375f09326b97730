package vitrine.trace;

/// A trace in the hands of one actor: makes the stamps, adds the events.
///
/// @param trace where the events go
/// @param clock the one clock of this trace
/// @param actor who speaks
public record Recorder(Trace trace, TraceClock clock, Actor actor) {

    /// The same trace and clock in somebody else's hands.
    public Recorder as(Actor other) {
        return new Recorder(trace, clock, other);
    }

    /// Now, on this thread.
    public Stamp stamp(Keys keys) {
        return new Stamp(clock.nanos(), actor, Thread.currentThread().getName(), keys);
    }

    /// Hands an event to the trace.
    public void add(TraceEvent event) {
        trace.add(event);
    }
}
