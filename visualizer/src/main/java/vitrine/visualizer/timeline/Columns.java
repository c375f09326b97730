package vitrine.visualizer.timeline;

import java.util.Arrays;
import java.util.List;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Access;
import vitrine.trace.TraceEvent.Area;
import vitrine.trace.TraceEvent.Direction;
import vitrine.trace.TraceEvent.Outcome;
import vitrine.trace.TraceEvent.Sender;
import vitrine.trace.TraceEvent.Signal;

/// The events of a run, a primitive array for each property: some 70 bytes an event, whatever it
/// is.
///
/// What `name`, `text`, `code`, `a`, `b` and `detail` hold depends on the kind; [#add] and [#event]
/// are the two halves of the table, and a test holds one against the other.
final class Columns {

    static final Sender NOBODY = new Sender(0, 0, 0, 0);
    private static final Actor[] ACTORS = Actor.values();
    private static final Access[] ACCESSES = Access.values();
    private static final Area[] AREAS = Area.values();
    private static final Signal[] SIGNALS = Signal.values();
    private static final Direction[] DIRECTIONS = Direction.values();

    final Words words;
    final Details details;
    int size;
    long[] nanos = new long[64];
    byte[] kind = new byte[64];
    byte[] actor = new byte[64];
    int[] thread = new int[64];
    int[] queue = new int[64];
    int[] head = new int[64];
    long[] unique = new long[64];
    long[] call = new long[64];
    int[] name = new int[64];
    int[] text = new int[64];
    int[] code = new int[64];
    long[] a = new long[64];
    long[] b = new long[64];
    int[] detail = new int[64];

    Columns() {
        this.words = new Words();
        this.details = new Details(words);
    }

    /// The first events of others, as many as there are now.
    Columns(Columns growing) {
        this.words = growing.words.frozen();
        this.details = growing.details.frozen(words);
        this.size = growing.size;
        take(growing, size);
    }

    private void take(Columns from, int length) {
        nanos = Arrays.copyOf(from.nanos, length);
        kind = Arrays.copyOf(from.kind, length);
        actor = Arrays.copyOf(from.actor, length);
        thread = Arrays.copyOf(from.thread, length);
        queue = Arrays.copyOf(from.queue, length);
        head = Arrays.copyOf(from.head, length);
        unique = Arrays.copyOf(from.unique, length);
        call = Arrays.copyOf(from.call, length);
        name = Arrays.copyOf(from.name, length);
        text = Arrays.copyOf(from.text, length);
        code = Arrays.copyOf(from.code, length);
        a = Arrays.copyOf(from.a, length);
        b = Arrays.copyOf(from.b, length);
        detail = Arrays.copyOf(from.detail, length);
    }

    void add(TraceEvent event) {
        if (size == nanos.length) {
            take(this, 2 * size);
        }
        Stamp at = event.at();
        nanos[size] = at.nanos();
        kind[size] = (byte) Kind.of(event).ordinal();
        actor[size] = (byte) at.actor().ordinal();
        thread[size] = words.number(at.thread());
        queue[size] = at.keys().queue();
        head[size] = at.keys().head();
        unique[size] = at.keys().unique();
        call[size] = at.keys().guestCall();
        fill(event);
        size++;
    }

    private void fill(TraceEvent event) {
        switch (event) {
            case TraceEvent.GuestCallEntered e -> put(e.name(), e.arguments(), 0, 0, 0);
            case TraceEvent.GuestCallReturned e -> put(e.name(), "", e.errno(), e.result(), 0);
            case TraceEvent.GuestDecision e -> {
                put(e.rule(), e.outcome(), 0, 0, 0);
                detail[size] = details.addFields(e.inputs());
            }
            case TraceEvent.RequestQueued e -> {
                put(e.opcode(), "", e.indirect() ? 1 : 0, 0, 0);
                detail[size] = details.addDescriptors(e.descriptors());
            }
            case TraceEvent.RingAccess e ->
                put("", "", e.access().ordinal() << 8 | e.area().ordinal(), e.offset(), e.value());
            case TraceEvent.Notified e -> put("", "", e.signal().ordinal(), 0, 0);
            case TraceEvent.ChainPopped e -> put("", "", e.descriptors(), e.readable(), e.writable());
            case TraceEvent.ChainRefused e -> put("", e.why(), 0, 0, 0);
            case TraceEvent.ChainPushed e -> put("", "", 0, e.written(), 0);
            case TraceEvent.RequestDecoded e -> {
                put(e.opcode(), "", 0, 0, 0);
                detail[size] = details.addMessage(e.sender(), e.raw(), e.fields());
            }
            case TraceEvent.ReplyGiven e -> {
                put("", "", e.error(), e.payload(), 0);
                detail[size] = details.addMessage(NOBODY, e.raw(), e.fields());
            }
            case TraceEvent.HostCall e -> {
                Outcome outcome = e.outcome();
                put(e.name(), e.arguments(), outcome.errno(), outcome.result(), outcome.nanos());
            }
            case TraceEvent.ControlMessage e ->
                put(e.name(), e.summary(), e.direction().ordinal(), 0, 0);
            case TraceEvent.Dropped e -> put("", "", 0, e.events(), 0);
        }
    }

    private void put(String aName, String aText, int aCode, long first, long second) {
        name[size] = words.number(aName);
        text[size] = words.number(aText);
        code[size] = aCode;
        a[size] = first;
        b[size] = second;
    }

    Kind kind(int n) {
        return Kind.at(kind[n]);
    }

    Stamp stamp(int n) {
        Keys keys = new Keys(queue[n], head[n], unique[n], call[n]);
        return new Stamp(nanos[n], ACTORS[actor[n]], words.text(thread[n]), keys);
    }

    /// The event as it was added.
    TraceEvent event(int n) {
        Stamp at = stamp(n);
        return switch (kind(n)) {
            case GUEST_CALL_ENTERED -> new TraceEvent.GuestCallEntered(at, name(n), text(n));
            case GUEST_CALL_RETURNED -> new TraceEvent.GuestCallReturned(at, name(n), a[n], code[n]);
            case GUEST_DECISION -> new TraceEvent.GuestDecision(at, name(n), text(n), details.fieldsAt(detail[n]));
            case REQUEST_QUEUED ->
                new TraceEvent.RequestQueued(at, name(n), code[n] != 0, details.descriptorsAt(detail[n]));
            case RING_ACCESS -> new TraceEvent.RingAccess(at, access(n), area(n), a[n], b[n]);
            case NOTIFIED -> new TraceEvent.Notified(at, signal(n));
            case CHAIN_POPPED -> new TraceEvent.ChainPopped(at, a[n], b[n], code[n]);
            case CHAIN_REFUSED -> new TraceEvent.ChainRefused(at, text(n));
            case CHAIN_PUSHED -> new TraceEvent.ChainPushed(at, a[n]);
            case REQUEST_DECODED ->
                new TraceEvent.RequestDecoded(at, name(n), details.senderAt(detail[n]), fields(n), raw(n));
            case REPLY_GIVEN -> new TraceEvent.ReplyGiven(at, code[n], a[n], fields(n), raw(n));
            case HOST_CALL -> new TraceEvent.HostCall(at, name(n), text(n), new Outcome(a[n], code[n], b[n]));
            case CONTROL_MESSAGE -> new TraceEvent.ControlMessage(at, DIRECTIONS[code[n]], name(n), text(n));
            case DROPPED -> new TraceEvent.Dropped(at, a[n]);
        };
    }

    /// How many entries of the ring a request takes that was queued.
    int entries(int n) {
        return code[n] != 0 ? 1 : details.descriptorsAt(detail[n]).size();
    }

    String name(int n) {
        return words.text(name[n]);
    }

    String text(int n) {
        return words.text(text[n]);
    }

    Access access(int n) {
        return ACCESSES[code[n] >> 8];
    }

    Area area(int n) {
        return AREAS[code[n] & 0xff];
    }

    Signal signal(int n) {
        return SIGNALS[code[n]];
    }

    private List<TraceEvent.Field> fields(int n) {
        return details.fieldsAt(details.fieldsOfMessage(detail[n]));
    }

    private RawBytes raw(int n) {
        return details.rawAt(detail[n]);
    }
}
