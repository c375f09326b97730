package vitrine.trace;

import java.util.List;
import vitrine.trace.TraceEvent.Access;
import vitrine.trace.TraceEvent.Area;
import vitrine.trace.TraceEvent.Descriptor;
import vitrine.trace.TraceEvent.Direction;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.Outcome;
import vitrine.trace.TraceEvent.Sender;
import vitrine.trace.TraceEvent.Signal;

/// An event as bytes and back: the payload of one packet in the capture file.
///
/// The tables in the package comment are this class in words. Tags and the order of fields are part
/// of the file format: whoever changes them raises [CaptureWriter#VERSION].
final class EventEncoding {

    private static final int GUEST_CALL_ENTERED = 1;
    private static final int GUEST_CALL_RETURNED = 2;
    private static final int GUEST_DECISION = 3;
    private static final int REQUEST_QUEUED = 4;
    private static final int RING_ACCESS = 5;
    private static final int NOTIFIED = 6;
    private static final int CHAIN_POPPED = 7;
    private static final int CHAIN_REFUSED = 8;
    private static final int CHAIN_PUSHED = 9;
    private static final int REQUEST_DECODED = 10;
    private static final int REPLY_GIVEN = 11;
    private static final int HOST_CALL = 12;
    private static final int CONTROL_MESSAGE = 13;
    private static final int DROPPED = 14;

    private EventEncoding() {}

    static byte[] encode(TraceEvent event) {
        FieldWriter out = stamp(new FieldWriter(tag(event)), event.at());
        switch (event) {
            case TraceEvent.GuestCallEntered e -> out.text(e.name()).text(e.arguments());
            case TraceEvent.GuestCallReturned e ->
                out.text(e.name()).integer(e.result()).integer(e.errno());
            case TraceEvent.GuestDecision e -> fields(out.text(e.rule()).text(e.outcome()), e.inputs());
            case TraceEvent.RequestQueued e ->
                descriptors(out.text(e.opcode()).integer(e.indirect() ? 1 : 0), e.descriptors());
            case TraceEvent.RingAccess e ->
                out.name(e.access()).name(e.area()).integer(e.offset()).integer(e.value());
            case TraceEvent.Notified e -> out.name(e.signal());
            case TraceEvent.ChainPopped e ->
                out.integer(e.readable()).integer(e.writable()).integer(e.descriptors());
            case TraceEvent.ChainRefused e -> out.text(e.why());
            case TraceEvent.ChainPushed e -> out.integer(e.written());
            case TraceEvent.RequestDecoded e ->
                fields(sender(out.text(e.opcode()), e.sender()), e.fields()).bytes(e.raw());
            case TraceEvent.ReplyGiven e ->
                fields(out.integer(e.error()).integer(e.payload()), e.fields()).bytes(e.raw());
            case TraceEvent.HostCall e -> outcome(out.text(e.name()).text(e.arguments()), e.outcome());
            case TraceEvent.ControlMessage e ->
                out.name(e.direction()).text(e.name()).text(e.summary());
            case TraceEvent.Dropped e -> out.integer(e.events());
        }
        return out.toBytes();
    }

    static TraceEvent decode(byte[] payload) throws BrokenCaptureException {
        FieldReader in = new FieldReader(payload);
        int tag = in.tag();
        if (tag < GUEST_CALL_ENTERED || tag > DROPPED) {
            throw new BrokenCaptureException("an event has the unknown tag " + tag);
        }
        TraceEvent event = event(tag, stamp(in), in);
        in.end();
        return event;
    }

    private static int tag(TraceEvent event) {
        return switch (event) {
            case TraceEvent.GuestCallEntered _ -> GUEST_CALL_ENTERED;
            case TraceEvent.GuestCallReturned _ -> GUEST_CALL_RETURNED;
            case TraceEvent.GuestDecision _ -> GUEST_DECISION;
            case TraceEvent.RequestQueued _ -> REQUEST_QUEUED;
            case TraceEvent.RingAccess _ -> RING_ACCESS;
            case TraceEvent.Notified _ -> NOTIFIED;
            case TraceEvent.ChainPopped _ -> CHAIN_POPPED;
            case TraceEvent.ChainRefused _ -> CHAIN_REFUSED;
            case TraceEvent.ChainPushed _ -> CHAIN_PUSHED;
            case TraceEvent.RequestDecoded _ -> REQUEST_DECODED;
            case TraceEvent.ReplyGiven _ -> REPLY_GIVEN;
            case TraceEvent.HostCall _ -> HOST_CALL;
            case TraceEvent.ControlMessage _ -> CONTROL_MESSAGE;
            case TraceEvent.Dropped _ -> DROPPED;
        };
    }

    /// Java evaluates arguments from left to right: the order here is the order in the file.
    private static TraceEvent event(int tag, Stamp at, FieldReader in) throws BrokenCaptureException {
        return switch (tag) {
            case GUEST_CALL_ENTERED -> new TraceEvent.GuestCallEntered(at, in.text(), in.text());
            case GUEST_CALL_RETURNED -> new TraceEvent.GuestCallReturned(at, in.text(), in.integer(), in.int32());
            case GUEST_DECISION -> new TraceEvent.GuestDecision(at, in.text(), in.text(), fields(in));
            case REQUEST_QUEUED -> new TraceEvent.RequestQueued(at, in.text(), in.bool(), descriptors(in));
            case RING_ACCESS ->
                new TraceEvent.RingAccess(at, in.name(Access.class), in.name(Area.class), in.integer(), in.integer());
            case NOTIFIED -> new TraceEvent.Notified(at, in.name(Signal.class));
            case CHAIN_POPPED -> new TraceEvent.ChainPopped(at, in.integer(), in.integer(), in.int32());
            case CHAIN_REFUSED -> new TraceEvent.ChainRefused(at, in.text());
            case CHAIN_PUSHED -> new TraceEvent.ChainPushed(at, in.integer());
            case REQUEST_DECODED -> new TraceEvent.RequestDecoded(at, in.text(), sender(in), fields(in), in.bytes());
            case REPLY_GIVEN -> new TraceEvent.ReplyGiven(at, in.int32(), in.integer(), fields(in), in.bytes());
            case HOST_CALL -> new TraceEvent.HostCall(at, in.text(), in.text(), outcome(in));
            case CONTROL_MESSAGE -> new TraceEvent.ControlMessage(at, in.name(Direction.class), in.text(), in.text());
            default -> new TraceEvent.Dropped(at, in.integer());
        };
    }

    private static FieldWriter stamp(FieldWriter out, Stamp at) {
        Keys keys = at.keys();
        return out.integer(at.nanos())
                .name(at.actor())
                .text(at.thread())
                .integer(keys.queue())
                .integer(keys.head())
                .integer(keys.unique())
                .integer(keys.guestCall());
    }

    private static Stamp stamp(FieldReader in) throws BrokenCaptureException {
        return new Stamp(in.integer(), in.name(Actor.class), in.text(), keys(in));
    }

    private static Keys keys(FieldReader in) throws BrokenCaptureException {
        return new Keys(in.int32(), in.int32(), in.integer(), in.integer());
    }

    private static FieldWriter fields(FieldWriter out, List<Field> fields) {
        return out.list(fields, 2, (to, field) -> to.text(field.name()).text(field.value()));
    }

    private static List<Field> fields(FieldReader in) throws BrokenCaptureException {
        return in.list(2, from -> new Field(from.text(), from.text()));
    }

    private static FieldWriter descriptors(FieldWriter out, List<Descriptor> descriptors) {
        return out.list(
                descriptors,
                2,
                (to, descriptor) -> to.integer(descriptor.length()).integer(descriptor.writable() ? 1 : 0));
    }

    private static List<Descriptor> descriptors(FieldReader in) throws BrokenCaptureException {
        return in.list(2, from -> new Descriptor(from.integer(), from.bool()));
    }

    private static FieldWriter sender(FieldWriter out, Sender sender) {
        return out.integer(sender.nodeid())
                .integer(sender.uid())
                .integer(sender.gid())
                .integer(sender.pid());
    }

    private static Sender sender(FieldReader in) throws BrokenCaptureException {
        return new Sender(in.integer(), in.int32(), in.int32(), in.int32());
    }

    private static FieldWriter outcome(FieldWriter out, Outcome outcome) {
        return out.integer(outcome.result()).integer(outcome.errno()).integer(outcome.nanos());
    }

    private static Outcome outcome(FieldReader in) throws BrokenCaptureException {
        return new Outcome(in.integer(), in.int32(), in.integer());
    }
}
