package vitrine.visualizer.query;

import vitrine.visualizer.timeline.Run;

/// Something that can be asked of each request, or of each event.
///
/// @param name in the language
/// @param ofRequests whether there is one for each request; else for each event
/// @param type what its values are
/// @param unit what its numbers count
/// @param values reads it
record Field(String name, boolean ofRequests, Type type, Unit unit, Values values) {

    enum Type {
        /// A number, in its unit.
        NUMBER,
        TEXT,
        /// Yes or no: may stand alone.
        TRUTH
    }

    /// Reads the value for a request or an event: a `Double`, a `String`, a `Boolean`, or null
    /// where there is none.
    @FunctionalInterface
    interface Values {
        Object of(Run run, int row);
    }
}
