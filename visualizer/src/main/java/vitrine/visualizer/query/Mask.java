package vitrine.visualizer.query;

import java.util.BitSet;
import vitrine.visualizer.timeline.Run;

/// Which events are meant.
///
/// @param ofRequests whether whole requests are meant: then they are what is counted
record Mask(BitSet events, boolean ofRequests) {

    Mask and(Mask other) {
        BitSet both = (BitSet) events.clone();
        both.and(other.events);
        return new Mask(both, ofRequests && other.ofRequests);
    }

    Mask or(Mask other) {
        BitSet any = (BitSet) events.clone();
        any.or(other.events);
        return new Mask(any, ofRequests && other.ofRequests);
    }

    /// All others: of requests, the other requests.
    Mask not(Run run) {
        BitSet others = new BitSet(run.size());
        for (int n = 0; n < run.size(); n++) {
            int story = run.stories().numberOf(n);
            boolean counts =
                    !ofRequests || story >= 0 && run.stories().get(story).isRequest();
            others.set(n, counts && !events.get(n));
        }
        return new Mask(others, ofRequests);
    }

    /// How many: requests, or events.
    long count(Run run) {
        if (!ofRequests) {
            return events.cardinality();
        }
        return run.stories().all().stream()
                .filter(story -> events.get(story.begin()))
                .count();
    }
}
