package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCases;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import vitrine.guest.command.Story;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceEvent;

/// From events to the text that a person reads.
class StoryTest {

    private static List<RequestStory> stories(Events events) {
        return RequestStories.from(events.list()).stories();
    }

    private static String block(RequestStory story, Story.Style style) {
        return String.join("\n", Story.block(story, style)) + "\n";
    }

    @Example
    void writeIsToldFromTheProgramToTheReply() {
        RequestStory write = stories(new Events().killprivWrite()).getFirst();

        assertEquals("""
                #1 WRITE  nodeid 3  fh 1  4096 bytes at 0  [KILL_SUIDGID]    unique 42  uid 1000
                    program  pwrite64(3, 4096 bytes, 0)                                     4096
                    decide   kill set-ID bits: ask the daemon to  (killpriv_v2 yes, cap_fsetid
                             no)
                    ring     queue 1  head 7  5 indirect  40+40+4096 out, 16+8 in           kick
                    host     capset(-FSETID)                                         0    1.2 us
                    host     pwritev2(fd 12, 4096 bytes, offset 0)                4096    1.2 us
                    reply    OK  size 4096                             24 bytes  call suppressed
                """, block(write, Story.Style.PLAIN));
    }

    @Example
    void ringAccessesAreToldOnRequest() {
        RequestStory write = stories(new Events().killprivWrite()).getFirst();

        assertEquals("""
                #1 WRITE  nodeid 3  fh 1  4096 bytes at 0  [KILL_SUIDGID]                        unique 42  uid 1000
                    program  pwrite64(3, 4096 bytes, 0)                                                         4096
                    decide   kill set-ID bits: ask the daemon to  (killpriv_v2 yes, cap_fsetid no)
                    ring     queue 1  head 7  5 indirect  40+40+4096 out, 16+8 in                               kick
                    driver   store 16          available   +4                                                    0x7
                    driver   store release 16  available   +2                                                    0x1
                    daemon   load acquire 16   available   +2                                                    0x1
                    host     capset(-FSETID)                                                             0    1.2 us
                    host     pwritev2(fd 12, 4096 bytes, offset 0)                                    4096    1.2 us
                    reply    OK  size 4096                                                 24 bytes  call suppressed
                """, block(write, new Story.Style(100, false, true)));
    }

    @Example
    void failureIsToldByItsName() {
        RequestStory lookup = stories(new Events().failedLookup()).getFirst();

        assertEquals("""
                #1 LOOKUP  nodeid 1  "hello"                                    unique 44  uid 0
                    ring     queue 1  head 9  4 descriptors  46 out, 144 in
                    host     openat(fd 5, "hello", O_PATH|O_NOFOLLOW)           ENOENT    2.0 us
                    reply    ENOENT                                               16 bytes  call
                """, block(lookup, Story.Style.PLAIN));
    }

    @Example
    void callWithoutRequestIsAStoryToo() {
        RequestStory read = stories(new Events().cachedRead()).getFirst();

        assertEquals("""
                #1 no request was needed
                    program  read(3, 100 bytes)                                              100
                    decide   page cache: hit
                """, block(read, Story.Style.PLAIN));
    }

    @Example
    void briefIsOneLineARequest() {
        List<String> lines = new ArrayList<>();
        for (RequestStory story :
                stories(new Events().killprivWrite().failedLookup().cachedRead())) {
            lines.add(Story.brief(story, Story.Style.PLAIN));
        }

        assertEquals("""
                #1    WRITE       nodeid 3  fh 1  4096 bytes at 0  [KILL_SUIDGID]  OK     3.8 us
                #2    LOOKUP      nodeid 1  "hello"                            ENOENT     2.6 us
                #3    -           read(3, 100 bytes)                               OK     200 ns
                """, String.join("\n", lines) + "\n");
    }

    /// A block fits its page whatever it tells, so that two of them can stand side by side.
    ///
    /// Seen to catch: the note of a row counted neither beside the text nor below it.
    @Property(tries = 200)
    void noLineIsWiderThanThePage(@ForAll @IntRange(min = 60, max = 120) int width) {
        Story.Style style = new Story.Style(width, false, true);
        Events events = new Events().killprivWrite().failedLookup().cachedRead();

        for (RequestStory story : stories(events)) {
            for (String line : Story.block(story, style)) {
                assertTrue(line.length() <= width, () -> line.length() + " columns: " + line);
            }
            assertEquals(width, Story.brief(story, style).length());
        }
    }

    @Example
    void colourAddsNothingButColour() {
        RequestStory write = stories(new Events().failedLookup()).getFirst();

        String plain = block(write, Story.Style.PLAIN);
        String coloured = block(write, new Story.Style(80, true, false));

        assertTrue(coloured.contains("\u001b["));
        assertEquals(plain, coloured.replaceAll("\u001b\\[[0-9]*m", ""));
    }

    /// Each event is told once: in one story, or among those that belong to no request.
    ///
    /// Seen to catch: accesses to a ring forgotten when no chain followed.
    @Property(tries = 300)
    void noEventIsLostOrToldTwice(@ForAll("traces") List<TraceEvent> events) {
        RequestStories stories = RequestStories.from(events);

        List<TraceEvent> told = new ArrayList<>(stories.others());
        stories.stories().forEach(story -> told.addAll(story.events()));

        assertEquals(events.size(), told.size());
        assertTrue(told.containsAll(events));
    }

    /// Whatever the events are, they can be told: a story is for looking at what went wrong.
    ///
    /// Seen to catch: one long word, such as the flags of INIT, kept in one line.
    @Property(tries = 300)
    void anyTraceCanBeToldOnAnyPage(
            @ForAll("traces") List<TraceEvent> events, @ForAll @IntRange(min = 60, max = 120) int width) {
        Story.Style style = new Story.Style(width, false, true);

        for (RequestStory story : RequestStories.from(events).stories()) {
            assertFalse(Story.block(story, style).isEmpty());
            assertFalse(Story.brief(story, style).isEmpty());
            for (String line : Story.block(story, style)) {
                assertTrue(line.length() <= width, () -> line.length() + " columns: " + line);
            }
        }
    }

    @Provide
    static Arbitrary<List<TraceEvent>> traces() {
        return Arbitraries.oneOf(AnyEvent.any(), AnyEvent.related())
                .list()
                .ofMaxSize(20)
                .edgeCases(EdgeCases.Config::none);
    }
}
