package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.trace.AnyEvent;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.RunBuilder;

/// A run keeps what it was given, joins it as the trace does, and folds it the same way whichever
/// way one walks.
class RunTest {

    @Provide
    Arbitrary<List<TraceEvent>> anyEvents() {
        return AnyEvent.any().list().ofMaxSize(30);
    }

    @Provide
    Arbitrary<List<TraceEvent>> relatedEvents() {
        return AnyEvent.related().list().ofMinSize(1).ofMaxSize(60);
    }

    /// Seen to catch: result and duration of a system call in each other's column.
    @Property(tries = 200)
    void eventComesBackFromItsColumnsAsItWas(@ForAll("anyEvents") List<TraceEvent> events) {
        Run run = run(events);

        List<TraceEvent> back =
                IntStream.range(0, run.size()).mapToObj(run::event).toList();

        assertEquals(events, back);
    }

    /// Seen to catch: a chain that is remembered after the device has given it back.
    @Property(tries = 300)
    void joinOverColumnsIsTheJoinOfTheTrace(@ForAll("relatedEvents") List<TraceEvent> events) {
        List<List<TraceEvent>> expected = RequestStories.from(events).stories().stream()
                .map(RequestStory::events)
                .toList();

        Run run = run(events);

        List<List<TraceEvent>> joined = run.stories().all().stream()
                .map(story -> Arrays.stream(run.stories().events(story.number()))
                        .mapToObj(run::event)
                        .toList())
                .toList();
        assertEquals(expected, joined);
    }

    /// The state at a moment does not depend on how one got there: by steps, by a jump, or back
    /// from the end.
    ///
    /// Seen to catch: a keyframe that is kept and then folded on, without a copy.
    @Property(tries = 40)
    void foldIsTheSameWhicheverWayOneWalks(@ForAll("relatedEvents") List<TraceEvent> some) {
        List<TraceEvent> events = repeated(some, 1100); // beyond two keyframes
        Run stepped = run(events);
        Run jumped = run(events);
        String[] forward = new String[events.size() + 1];
        for (int position = 0; position <= events.size(); position += 97) {
            forward[position] = stepped.stateAt(position).toString();
        }

        for (int position = events.size() / 97 * 97; position >= 0; position -= 97) {
            assertEquals(forward[position], jumped.stateAt(position).toString(), "at " + position);
        }
    }

    /// A keyframe is no event: the state on both of its sides is what one more event makes of it.
    ///
    /// Seen to catch: copies of a ring that share their cells.
    @Property(tries = 20)
    void keyframeSeekIsAFullReplay(@ForAll("relatedEvents") List<TraceEvent> some) {
        List<TraceEvent> events = repeated(some, 1100);
        Run whole = run(events);
        whole.stateAt(1100); // leaves keyframes behind
        for (int position : List.of(1025, 1024, 1023, 513, 512, 511, 1, 0)) {
            Run beginning = run(events.subList(0, position));

            String replayed = beginning.stateAt(position).toString();

            assertEquals(replayed, whole.stateAt(position).toString(), "at " + position);
        }
    }

    private static List<TraceEvent> repeated(List<TraceEvent> some, int length) {
        return IntStream.range(0, length)
                .mapToObj(i -> some.get(i % some.size()))
                .toList();
    }

    private static Run run(List<TraceEvent> events) {
        return Run.of(events, Map.of("queue-size", "4"));
    }

    /// Numbers of a long run lie in pieces, each as narrow as it can be: whatever was put in comes
    /// out, also of a run that was taken while more came.
    ///
    /// Seen to catch: 16 bits for numbers that are 65,536 apart.
    @Example
    void longColumnsGiveBackWhatWasPutIn() {
        long[] spans = {0, 0xff, 0x100, 0xffff, 0x10000, 0xffff_ffffL, 0x1_0000_0000L, -1};
        int each = 1 << 14;
        RunBuilder builder = new RunBuilder();
        Run half = null;
        for (int i = 0; i < spans.length * each + 5; i++) {
            if (i == spans.length * each / 2 + 7) {
                half = builder.run(Map.of(), Optional.empty());
            }
            builder.add(new TraceEvent.ChainPushed(pushed(i), written(i, spans, each)));
        }
        Run whole = builder.run(Map.of(), Optional.empty());

        for (int i = 0; i < whole.size(); i++) {
            TraceEvent.ChainPushed expected = new TraceEvent.ChainPushed(pushed(i), written(i, spans, each));
            assertEquals(expected, whole.event(i), "event " + i);
            assertTrue(i >= half.size() || expected.equals(half.event(i)), "event " + i + " of the half");
        }
    }

    private static Stamp pushed(int i) {
        return new Stamp(1_000L * i, Actor.DAEMON, "queue 1", new Keys(1, i % 128, i, 0));
    }

    /// From 7 to 7 and a span, both ends among them; of the last span anything.
    private static long written(int i, long[] spans, int each) {
        long span = spans[i / each % spans.length];
        return span < 0 ? i * 0x9e3779b97f4a7c15L : 7 + (i % 2 == 0 ? 0 : i % 3 == 0 ? span : i % (span + 1));
    }
}
