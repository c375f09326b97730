package vitrine.passthrough;

import java.util.concurrent.atomic.AtomicInteger;

/// What a guest does that no guest kernel should: said a few times, not as often as it is done.
final class Warnings {

    private static final System.Logger LOG = System.getLogger("vitrine.passthrough");
    private static final int ENOUGH = 20;
    private static final AtomicInteger SAID = new AtomicInteger();

    private Warnings() {}

    /// A FORGET took back more lookups than the guest had been told.
    static void forgottenTooOften(long nodeid, long count, long had) {
        if (SAID.getAndIncrement() < ENOUGH) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "guest forgets nodeid {0} {1} times, was told it {2} times",
                    Long.toString(nodeid),
                    Long.toUnsignedString(count),
                    Long.toString(had));
        }
    }
}
