package vitrine.trace;

/// When, who and to what it belongs: the part that every event has.
///
/// @param nanos nanoseconds on the clock of this trace (see [TraceClock]): since 1970 for a run
///     that was measured, since the start of the run for one in virtual time
/// @param actor who did it
/// @param thread the name of the thread it happened on
/// @param keys what joins this event to others
public record Stamp(long nanos, Actor actor, String thread, Keys keys) {}
