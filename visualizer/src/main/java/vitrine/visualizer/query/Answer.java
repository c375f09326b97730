package vitrine.visualizer.query;

import java.util.BitSet;

/// What comes of a question.
public sealed interface Answer {

    /// Some events.
    ///
    /// @param events a bit for each event of the run
    /// @param ofRequests whether whole requests are meant
    /// @param count how many requests or events
    record Selected(BitSet events, boolean ofRequests, long count) implements Answer {
        /// Keeps its own copy.
        public Selected {
            events = (BitSet) events.clone();
        }

        @Override
        public BitSet events() {
            return (BitSet) events.clone();
        }
    }

    /// A number; not a number where there was nothing to compute it from.
    record Amount(double value, Unit unit) implements Answer {}

    /// Yes or no.
    record Truth(boolean value) implements Answer {}
}
