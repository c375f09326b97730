package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;

/// How events find their request.
class RequestStoriesTest {

    /// Seen to catch: accesses to the ring not handed to the event they led to, but to the request
    /// pushed last.
    @Test
    void oneRequestGathersAllThatHappenedForIt() {
        Events events = new Events().killprivWrite();
        List<TraceEvent> first = events.list();
        List<TraceEvent> both = events.failedLookup().list();

        RequestStories stories = RequestStories.from(both);

        assertEquals(2, stories.stories().size());
        RequestStory write = stories.stories().getFirst();
        assertEquals(first, write.events());
        assertEquals(
                both.subList(first.size(), both.size()),
                stories.stories().getLast().events());
        assertEquals(Optional.of("WRITE"), write.opcode());
        assertEquals(42, write.unique());
        assertEquals(1, write.queue());
        assertEquals(7, write.head());
        assertEquals(5, write.guestCall());
        assertTrue(stories.others().isEmpty());
    }

    /// A guest that mounts again begins to count again (fuse.h: `fuse_in_header.unique`).
    ///
    /// Seen to catch: stories joined by `unique` alone, over the whole trace.
    @Test
    void sameNumberAfterAnotherMountIsAnotherRequest() {
        List<TraceEvent> twice = new ArrayList<>(new Events().failedLookup().list());
        twice.addAll(new Events().failedLookup().list());

        List<RequestStory> stories = RequestStories.from(twice).stories();

        assertEquals(2, stories.size());
        assertEquals(stories.get(0).events(), stories.get(1).events());
    }

    /// A side looks at a ring long before anything comes of it.
    ///
    /// Seen to catch: stories in the order of their first event of any kind, so that the first
    /// FORGET stood before INIT.
    @Test
    void earlyLookAtTheRingDoesNotBeginAStory() {
        List<TraceEvent> events = new ArrayList<>(List.of(Events.idleLook()));
        events.addAll(new Events().cachedRead().failedLookup().list());

        List<RequestStory> stories = RequestStories.from(events).stories();

        assertEquals(2, stories.size());
        assertTrue(stories.get(0).opcode().isEmpty());
        assertEquals(Optional.of("LOOKUP"), stories.get(1).opcode());
        assertEquals(Events.idleLook(), stories.get(1).events().getFirst());
        assertTrue(stories.get(1).nanos() < 10_000, () -> stories.get(1).nanos() + " ns");
    }

    /// When the front end has left, the session ends by a DESTROY of its own.
    ///
    /// Seen to catch: a story made of it.
    @Test
    void theEndOfASessionIsNoRequestOfTheGuests() {
        List<TraceEvent> events = new ArrayList<>(new Events().failedLookup().list());
        Stamp end = new Stamp(1_000_000, Actor.DAEMON, "main", Keys.NONE);
        events.add(new TraceEvent.RequestDecoded(
                end, "DESTROY", new TraceEvent.Sender(0, 0, 0, 0), List.of(), RawBytes.EMPTY));

        RequestStories stories = RequestStories.from(events);

        assertEquals(1, stories.stories().size());
        assertEquals(1, stories.others().size());
    }

    @Test
    void gapsBelongToNoRequest() {
        RequestStories stories =
                RequestStories.from(new Events().gap(12).cachedRead().list());

        assertEquals(1, stories.stories().size());
        assertEquals(1, stories.others().size());
        assertTrue(stories.stories().getFirst().opcode().isEmpty());
    }
}
