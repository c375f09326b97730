package vitrine.visualizer.scenario;

import java.util.Map;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.HostCall;
import vitrine.trace.TraceEvent.Outcome;

/// What each event takes in the model, in nanoseconds: rounded figures of the size that is usual on
/// one machine, good for ratios. Every picture that shows one calls it `model`.
///
/// A clock of the host would show another run each time, and the cost of watching with it.
final class VirtualTime {

    private static final long SYSTEM_CALL = 200; // into the guest's kernel or back
    private static final long DECISION = 50;
    private static final long QUEUEING = 400;
    private static final long RING_ACCESS = 15;
    private static final long KICK = 2_400; // out of the virtual machine, through an eventfd, a thread wakes
    private static final long CALL = 2_900; // an interrupt into the virtual machine, a thread wakes
    private static final long SPARED = 20;
    private static final long TAKING = 150;
    private static final long DECODING = 300;
    private static final long ANSWERING = 200;
    private static final long CONTROL = 10_000;

    private static final long OTHER_HOST_CALL = 700;
    private static final Map<String, Long> HOST_CALLS = Map.ofEntries(
            Map.entry("openat", 1_600L),
            Map.entry("open_by_handle_at", 1_900L),
            Map.entry("name_to_handle_at", 900L),
            Map.entry("statx", 1_000L),
            Map.entry("close", 300L),
            Map.entry("pwritev2", 2_200L),
            Map.entry("preadv2", 1_400L),
            Map.entry("fallocate", 2_000L),
            Map.entry("fsync", 60_000L),
            Map.entry("fdatasync", 50_000L),
            Map.entry("unlinkat", 3_000L),
            Map.entry("renameat2", 4_000L),
            Map.entry("mkdirat", 4_000L),
            Map.entry("ioctl", 3_500L));
    private static final long PER_KIBIBYTE = 60;

    private long now;

    /// The event at its time; events come in their order.
    TraceEvent stamped(TraceEvent event) {
        now += duration(event);
        Stamp was = event.at();
        Stamp at = new Stamp(now, was.actor(), "stepped", was.keys());
        return switch (event) {
            case TraceEvent.GuestCallEntered e -> new TraceEvent.GuestCallEntered(at, e.name(), e.arguments());
            case TraceEvent.GuestCallReturned e ->
                new TraceEvent.GuestCallReturned(at, e.name(), e.result(), e.errno());
            case TraceEvent.GuestDecision e -> new TraceEvent.GuestDecision(at, e.rule(), e.outcome(), e.inputs());
            case TraceEvent.RequestQueued e ->
                new TraceEvent.RequestQueued(at, e.opcode(), e.indirect(), e.descriptors());
            case TraceEvent.RingAccess e -> new TraceEvent.RingAccess(at, e.access(), e.area(), e.offset(), e.value());
            case TraceEvent.Notified e -> new TraceEvent.Notified(at, e.signal());
            case TraceEvent.ChainPopped e ->
                new TraceEvent.ChainPopped(at, e.readable(), e.writable(), e.descriptors());
            case TraceEvent.ChainRefused e -> new TraceEvent.ChainRefused(at, e.why());
            case TraceEvent.ChainPushed e -> new TraceEvent.ChainPushed(at, e.written());
            case TraceEvent.RequestDecoded e ->
                new TraceEvent.RequestDecoded(at, e.opcode(), e.sender(), e.fields(), e.raw());
            case TraceEvent.ReplyGiven e -> new TraceEvent.ReplyGiven(at, e.error(), e.payload(), e.fields(), e.raw());
            case HostCall e -> {
                Outcome outcome = new Outcome(e.outcome().result(), e.outcome().errno(), duration(e));
                yield new HostCall(at, e.name(), e.arguments(), outcome);
            }
            case TraceEvent.ControlMessage e -> new TraceEvent.ControlMessage(at, e.direction(), e.name(), e.summary());
            case TraceEvent.Dropped e -> new TraceEvent.Dropped(at, e.events());
        };
    }

    private static long duration(TraceEvent event) {
        return switch (event) {
            case TraceEvent.GuestCallEntered _, TraceEvent.GuestCallReturned _ -> SYSTEM_CALL;
            case TraceEvent.GuestDecision _ -> DECISION;
            case TraceEvent.RequestQueued _ -> QUEUEING;
            case TraceEvent.RingAccess _ -> RING_ACCESS;
            case TraceEvent.Notified e ->
                switch (e.signal()) {
                    case KICK -> KICK;
                    case CALL -> CALL;
                    case KICK_SUPPRESSED, CALL_SUPPRESSED, KICK_SEEN, CALL_SEEN -> SPARED;
                };
            case TraceEvent.ChainPopped _, TraceEvent.ChainRefused _, TraceEvent.ChainPushed _ -> TAKING;
            case TraceEvent.RequestDecoded _ -> DECODING;
            case TraceEvent.ReplyGiven _ -> ANSWERING;
            case HostCall e -> hostCall(e);
            case TraceEvent.ControlMessage _ -> CONTROL;
            case TraceEvent.Dropped _ -> 0;
        };
    }

    private static long hostCall(HostCall call) {
        boolean moves = call.name().equals("pwritev2") || call.name().equals("preadv2");
        long bytes = moves ? Math.max(0, call.outcome().result()) : 0;
        return HOST_CALLS.getOrDefault(call.name(), OTHER_HOST_CALL) + bytes / 1024 * PER_KIBIBYTE;
    }
}
