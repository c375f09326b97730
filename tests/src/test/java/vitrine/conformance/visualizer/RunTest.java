package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.trace.AnyEvent;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.timeline.Run;

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
}
