package vitrine.visualizer.scenario;

import vitrine.guest.cost.CostTable;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.HostCall;
import vitrine.trace.TraceEvent.Outcome;

/// What each event takes in the model, by the table of [vitrine.guest.cost]: one table for the
/// whole project. Every picture that shows a time of it calls it `model`.
///
/// A clock of the host would show another run each time, and the cost of watching with it. Accesses
/// to the ring and decisions take no time of their own: the table has them in what a request costs
/// guest and device.
final class VirtualTime {

    private static final CostTable COSTS = CostTable.of("");
    private static final int STEPS_OF_THE_DEVICE = 4; // it takes, understands, answers, gives back

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
        double micros = switch (event) {
            case TraceEvent.GuestCallEntered _, TraceEvent.GuestCallReturned _ -> COSTS.micros("guest.call") / 2;
            case TraceEvent.RequestQueued _ -> COSTS.micros("guest.request");
            case TraceEvent.Notified notified -> micros(notified.signal());
            case TraceEvent.ChainPopped popped ->
                COSTS.micros("device.request") / STEPS_OF_THE_DEVICE
                        + popped.descriptors() * COSTS.micros("descriptor");
            case TraceEvent.RequestDecoded _, TraceEvent.ReplyGiven _, TraceEvent.ChainPushed _ ->
                COSTS.micros("device.request") / STEPS_OF_THE_DEVICE;
            case HostCall call -> COSTS.hostCall(call);
            case TraceEvent.GuestDecision _,
                    TraceEvent.RingAccess _,
                    TraceEvent.ChainRefused _,
                    TraceEvent.ControlMessage _,
                    TraceEvent.Dropped _ -> 0;
        };
        return Math.round(micros * 1000);
    }

    /// Who is told was asleep, in a machine that does one thing after the other.
    private static double micros(TraceEvent.Signal signal) {
        return switch (signal) {
            case KICK -> COSTS.micros("kick") + COSTS.micros("device.wake");
            case CALL -> COSTS.micros("call") + COSTS.micros("guest.wake");
            case KICK_SUPPRESSED, CALL_SUPPRESSED, KICK_SEEN, CALL_SEEN -> 0;
        };
    }
}
