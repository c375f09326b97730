package vitrine.visualizer.timeline;

import vitrine.trace.TraceEvent.Signal;

/// What happened between two positions: what two markers are set for.
///
/// @param requests that the device took
/// @param bytes that came with requests or went back with replies
public record Between(long nanos, int requests, int kicks, int hostCalls, long bytes) {

    /// Counts it; the order of the two does not matter.
    public static Between of(Run run, int one, int other) {
        int from = Math.min(one, other);
        int to = Math.max(one, other);
        int requests = 0;
        int kicks = 0;
        int hostCalls = 0;
        long bytes = 0;
        for (int n = from; n < to; n++) {
            switch (run.kind(n)) {
                case CHAIN_POPPED -> {
                    requests++;
                    bytes += run.columns().a(n);
                }
                case CHAIN_PUSHED -> bytes += run.columns().a(n);
                case NOTIFIED -> kicks += run.columns().signal(n) == Signal.KICK ? 1 : 0;
                case HOST_CALL -> hostCalls++;
                default -> {}
            }
        }
        return new Between(run.at(to).nanos() - run.at(from).nanos(), requests, kicks, hostCalls, bytes);
    }
}
