package vitrine.conformance.trace;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;

/// Events of every kind with any content, for properties.
public final class AnyEvent {

    private final Arbitrary<Keys> keys;

    private AnyEvent(Arbitrary<Keys> keys) {
        this.keys = keys;
    }

    /// Events with any keys.
    public static Arbitrary<TraceEvent> any() {
        Arbitrary<Integer> ints = Arbitraries.integers();
        Arbitrary<Long> longs = Arbitraries.longs();
        return new AnyEvent(Combinators.combine(ints, ints, longs, longs).as(Keys::new)).event();
    }

    /// Events with so few different keys that they often belong together.
    public static Arbitrary<TraceEvent> related() {
        Arbitrary<Integer> queues = Arbitraries.integers().between(-1, 1);
        Arbitrary<Integer> heads = Arbitraries.integers().between(-1, 2);
        Arbitrary<Long> uniques = Arbitraries.of(0L, 2L, 4L);
        Arbitrary<Long> calls = Arbitraries.of(0L, 1L, 2L);
        return new AnyEvent(Combinators.combine(queues, heads, uniques, calls).as(Keys::new)).event();
    }

    private Arbitrary<TraceEvent> event() {
        return Arbitraries.oneOf(List.of(guest(), driver(), ring(), request(), host()));
    }

    /// Text as Java has it, less what UTF-8 cannot say: unpaired halves of characters.
    private static Arbitrary<String> text() {
        return Arbitraries.strings()
                .withCharRange(' ', '\ud7ff')
                .withChars('\0', '\n', '\ufffd')
                .ofMaxLength(30);
    }

    private Arbitrary<Stamp> stamp() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.of(Actor.class), text(), keys)
                .as(Stamp::new);
    }

    private static Arbitrary<RawBytes> bytes() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(100).map(RawBytes::of);
    }

    private static Arbitrary<List<TraceEvent.Field>> fields() {
        return Combinators.combine(text(), text())
                .as(TraceEvent.Field::new)
                .list()
                .ofMaxSize(4);
    }

    private Arbitrary<TraceEvent> guest() {
        return Arbitraries.oneOf(List.of(
                Combinators.combine(stamp(), text(), text()).as(TraceEvent.GuestCallEntered::new),
                Combinators.combine(stamp(), text(), Arbitraries.longs(), Arbitraries.integers())
                        .as(TraceEvent.GuestCallReturned::new),
                Combinators.combine(stamp(), text(), text(), fields()).as(TraceEvent.GuestDecision::new)));
    }

    private Arbitrary<TraceEvent> driver() {
        Arbitrary<TraceEvent.Descriptor> descriptor = Combinators.combine(
                        Arbitraries.longs(), Arbitraries.of(true, false))
                .as(TraceEvent.Descriptor::new);
        return Combinators.combine(
                        stamp(),
                        text(),
                        Arbitraries.of(true, false),
                        descriptor.list().ofMaxSize(5))
                .as(TraceEvent.RequestQueued::new);
    }

    private Arbitrary<TraceEvent> ring() {
        return Arbitraries.oneOf(List.of(
                Combinators.combine(
                                stamp(),
                                Arbitraries.of(TraceEvent.Access.class),
                                Arbitraries.of(TraceEvent.Area.class),
                                Arbitraries.longs(),
                                Arbitraries.longs())
                        .as(TraceEvent.RingAccess::new),
                Combinators.combine(stamp(), Arbitraries.of(TraceEvent.Signal.class))
                        .as(TraceEvent.Notified::new),
                Combinators.combine(stamp(), Arbitraries.longs(), Arbitraries.longs(), Arbitraries.integers())
                        .as(TraceEvent.ChainPopped::new),
                Combinators.combine(stamp(), text()).as(TraceEvent.ChainRefused::new),
                Combinators.combine(stamp(), Arbitraries.longs()).as(TraceEvent.ChainPushed::new)));
    }

    private Arbitrary<TraceEvent> request() {
        Arbitrary<Integer> ids = Arbitraries.integers();
        Arbitrary<TraceEvent.Sender> sender =
                Combinators.combine(Arbitraries.longs(), ids, ids, ids).as(TraceEvent.Sender::new);
        return Arbitraries.oneOf(List.of(
                Combinators.combine(stamp(), text(), sender, fields(), bytes()).as(TraceEvent.RequestDecoded::new),
                Combinators.combine(stamp(), ids, Arbitraries.longs(), fields(), bytes())
                        .as(TraceEvent.ReplyGiven::new)));
    }

    private Arbitrary<TraceEvent> host() {
        Arbitrary<TraceEvent.Outcome> outcome = Combinators.combine(
                        Arbitraries.longs(), Arbitraries.integers(), Arbitraries.longs())
                .as(TraceEvent.Outcome::new);
        return Arbitraries.oneOf(List.of(
                Combinators.combine(stamp(), text(), text(), outcome).as(TraceEvent.HostCall::new),
                Combinators.combine(stamp(), Arbitraries.of(TraceEvent.Direction.class), text(), text())
                        .as(TraceEvent.ControlMessage::new),
                Combinators.combine(stamp(), Arbitraries.longs()).as(TraceEvent.Dropped::new)));
    }
}
