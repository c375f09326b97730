package vitrine.visualizer.timeline;

import java.util.List;
import java.util.stream.Stream;
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

/// The events of a run, a [Column] for each property: some 30 bytes an event, whatever it is.
///
/// What `name`, `text`, `code`, `a`, `b` and `detail` hold depends on the kind; [#add] and [#event]
/// are the two halves of the table, and a test holds one against the other.
final class Columns {

    static final Sender NOBODY = new Sender(0, 0, 0, 0);
    private static final int NO_DETAIL = 0;
    private static final Actor[] ACTORS = Actor.values();
    private static final Access[] ACCESSES = Access.values();
    private static final Area[] AREAS = Area.values();
    private static final Signal[] SIGNALS = Signal.values();
    private static final Direction[] DIRECTIONS = Direction.values();

    final Words words;
    final Details details;
    private int size;
    private final Column nanos;
    private final Column kind;
    private final Column actor;
    private final Column thread;
    private final Column queue;
    private final Column head;
    private final Column unique;
    private final Column call;
    private final Column name;
    private final Column text;
    private final Column code;
    private final Column a;
    private final Column b;
    private final Column detail;

    Columns() {
        this(new Words());
    }

    private Columns(Words words) {
        this.words = words;
        this.details = new Details(words);
        nanos = new Column();
        kind = new Column();
        actor = new Column();
        thread = new Column();
        queue = new Column();
        head = new Column();
        unique = new Column();
        call = new Column();
        name = new Column();
        text = new Column();
        code = new Column();
        a = new Column();
        b = new Column();
        detail = new Column();
    }

    /// The first events of others, as many as there are now.
    Columns(Columns growing) {
        this.words = growing.words.frozen();
        this.details = growing.details.frozen(words);
        this.size = growing.size;
        nanos = growing.nanos.sharing();
        kind = growing.kind.sharing();
        actor = growing.actor.sharing();
        thread = growing.thread.sharing();
        queue = growing.queue.sharing();
        head = growing.head.sharing();
        unique = growing.unique.sharing();
        call = growing.call.sharing();
        name = growing.name.sharing();
        text = growing.text.sharing();
        code = growing.code.sharing();
        a = growing.a.sharing();
        b = growing.b.sharing();
        detail = growing.detail.sharing();
    }

    void add(TraceEvent event) {
        Stamp at = event.at();
        nanos.add(at.nanos());
        kind.add(Kind.of(event).ordinal());
        actor.add(at.actor().ordinal());
        thread.add(words.number(at.thread()));
        queue.add(at.keys().queue());
        head.add(at.keys().head());
        unique.add(at.keys().unique());
        call.add(at.keys().guestCall());
        detail.add(fill(event));
        size++;
    }

    /// How many events there are.
    int size() {
        return size;
    }

    /// About how much memory they take.
    long bytes() {
        return Stream.of(nanos, kind, actor, thread, queue, head, unique, call, name, text, code, a, b, detail)
                        .mapToLong(Column::bytes)
                        .sum()
                + details.bytes()
                + words.bytes();
    }

    /// All that depends on the kind; returns where its details are.
    private int fill(TraceEvent event) {
        return switch (event) {
            case TraceEvent.GuestCallEntered e -> put(e.name(), e.arguments(), 0, 0, 0);
            case TraceEvent.GuestCallReturned e -> put(e.name(), "", e.errno(), e.result(), 0);
            case TraceEvent.GuestDecision e -> {
                put(e.rule(), e.outcome(), 0, 0, 0);
                yield details.addFields(e.inputs());
            }
            case TraceEvent.RequestQueued e -> {
                put(e.opcode(), "", e.indirect() ? 1 : 0, 0, 0);
                yield details.addDescriptors(e.descriptors());
            }
            case TraceEvent.RingAccess e ->
                put("", "", e.access().ordinal() << 8 | e.area().ordinal(), e.offset(), e.value());
            case TraceEvent.Notified e -> put("", "", e.signal().ordinal(), 0, 0);
            case TraceEvent.ChainPopped e -> put("", "", e.descriptors(), e.readable(), e.writable());
            case TraceEvent.ChainRefused e -> put("", e.why(), 0, 0, 0);
            case TraceEvent.ChainPushed e -> put("", "", 0, e.written(), 0);
            case TraceEvent.RequestDecoded e -> {
                put(e.opcode(), "", 0, 0, 0);
                yield details.addMessage(e.sender(), e.raw(), e.fields());
            }
            case TraceEvent.ReplyGiven e -> {
                put("", "", e.error(), e.payload(), 0);
                yield details.addMessage(NOBODY, e.raw(), e.fields());
            }
            case TraceEvent.HostCall e -> {
                Outcome outcome = e.outcome();
                yield put(e.name(), e.arguments(), outcome.errno(), outcome.result(), outcome.nanos());
            }
            case TraceEvent.ControlMessage e ->
                put(e.name(), e.summary(), e.direction().ordinal(), 0, 0);
            case TraceEvent.Dropped e -> put("", "", 0, e.events(), 0);
        };
    }

    private int put(String aName, String aText, int aCode, long first, long second) {
        name.add(words.number(aName));
        text.add(words.number(aText));
        code.add(aCode);
        a.add(first);
        b.add(second);
        return NO_DETAIL;
    }

    long nanos(int n) {
        return nanos.at(n);
    }

    Actor actor(int n) {
        return ACTORS[(int) actor.at(n)];
    }

    int queue(int n) {
        return (int) queue.at(n);
    }

    int head(int n) {
        return (int) head.at(n);
    }

    long unique(int n) {
        return unique.at(n);
    }

    long call(int n) {
        return call.at(n);
    }

    int code(int n) {
        return (int) code.at(n);
    }

    long a(int n) {
        return a.at(n);
    }

    long b(int n) {
        return b.at(n);
    }

    int detail(int n) {
        return (int) detail.at(n);
    }

    Kind kind(int n) {
        return Kind.at((int) kind.at(n));
    }

    Stamp stamp(int n) {
        Keys keys = new Keys(queue(n), head(n), unique(n), call(n));
        return new Stamp(nanos(n), actor(n), words.text((int) thread.at(n)), keys);
    }

    /// The event as it was added.
    TraceEvent event(int n) {
        Stamp at = stamp(n);
        return switch (kind(n)) {
            case GUEST_CALL_ENTERED -> new TraceEvent.GuestCallEntered(at, name(n), text(n));
            case GUEST_CALL_RETURNED -> new TraceEvent.GuestCallReturned(at, name(n), a(n), code(n));
            case GUEST_DECISION -> new TraceEvent.GuestDecision(at, name(n), text(n), details.fieldsAt(detail(n)));
            case REQUEST_QUEUED ->
                new TraceEvent.RequestQueued(at, name(n), code(n) != 0, details.descriptorsAt(detail(n)));
            case RING_ACCESS -> new TraceEvent.RingAccess(at, access(n), area(n), a(n), b(n));
            case NOTIFIED -> new TraceEvent.Notified(at, signal(n));
            case CHAIN_POPPED -> new TraceEvent.ChainPopped(at, a(n), b(n), code(n));
            case CHAIN_REFUSED -> new TraceEvent.ChainRefused(at, text(n));
            case CHAIN_PUSHED -> new TraceEvent.ChainPushed(at, a(n));
            case REQUEST_DECODED ->
                new TraceEvent.RequestDecoded(at, name(n), details.senderAt(detail(n)), fields(n), raw(n));
            case REPLY_GIVEN -> new TraceEvent.ReplyGiven(at, code(n), a(n), fields(n), raw(n));
            case HOST_CALL -> new TraceEvent.HostCall(at, name(n), text(n), new Outcome(a(n), code(n), b(n)));
            case CONTROL_MESSAGE -> new TraceEvent.ControlMessage(at, DIRECTIONS[code(n)], name(n), text(n));
            case DROPPED -> new TraceEvent.Dropped(at, a(n));
        };
    }

    /// How many entries of the ring a request takes that was queued.
    int entries(int n) {
        return code(n) != 0 ? 1 : details.descriptorsAt(detail(n)).size();
    }

    String name(int n) {
        return words.text((int) name.at(n));
    }

    String text(int n) {
        return words.text((int) text.at(n));
    }

    Access access(int n) {
        return ACCESSES[code(n) >> 8];
    }

    Area area(int n) {
        return AREAS[code(n) & 0xff];
    }

    Signal signal(int n) {
        return SIGNALS[code(n)];
    }

    private List<TraceEvent.Field> fields(int n) {
        return details.fieldsAt(details.fieldsOfMessage(detail(n)));
    }

    private RawBytes raw(int n) {
        return details.rawAt(detail(n));
    }
}
