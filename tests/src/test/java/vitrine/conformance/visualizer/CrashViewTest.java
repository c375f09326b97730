package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.HostFiles.Progress;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.CrashView;

/// What is on the host when the guest dies, at each event of an append to a file in the DAX window.
class CrashViewTest {

    private static final CrashView VIEW = new CrashView();

    /// Room first, then five bytes stored in the window: in between the file is longer, and what is
    /// new in it are zeros. Each state is seen on the host, not thought out.
    ///
    /// Seen to catch: a look after system calls of the host only, which misses what the guest
    /// stores; a state that is told one event late.
    @Test
    void roomThatIsMadeFirstIsSeenAsZeros() {
        Run run = Runs.of("append-room-first");

        assertEquals(
                List.of(
                        "Dear reader,\n",
                        "Dear reader,\n\0\0\0\0\0",
                        "Dear reader,\nfive\n",
                        "Dear reader,\nfive\n\0\0\0\0\0",
                        "Dear reader,\nfive\nfive\n",
                        "Dear reader,\nfive\nfive\n\0\0\0\0\0",
                        "Dear reader,\nfive\nfive\nfive\n"),
                letters(run));
        for (int position = 0; position <= run.size(); position++) {
            boolean zeros = letter(run, position).endsWith("\0");
            assertEquals(zeros, run.hostFiles().progress(run, position) == Progress.HALF_DONE, "step " + position);
        }
    }

    /// One WRITE is there or not.
    ///
    /// Seen to catch: a call that counts as half done when all of it is there.
    @Test
    void oneWriteIsNeverHalfDone() {
        Run run = Runs.of("append-write");

        assertEquals(4, letters(run).size());
        assertTrue(IntStream.rangeClosed(0, run.size())
                .noneMatch(position -> run.hostFiles().progress(run, position) == Progress.HALF_DONE));
    }

    private static List<String> letters(Run run) {
        Set<String> letters = new LinkedHashSet<>();
        for (int position = 0; position <= run.size(); position++) {
            letters.add(letter(run, position));
        }
        return List.copyOf(letters);
    }

    private static String letter(Run run, int position) {
        byte[] bytes = run.hostFiles()
                .at(position)
                .orElseThrow()
                .files()
                .get("letter")
                .bytes()
                .toArray();
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /// Zeros, and what is not there yet, are told apart without a colour, and for the ear.
    ///
    /// Seen to catch: zeros that are drawn like bytes that are missing.
    @Test
    void zerosAreHatchedAndToldByName() {
        Subject subject = Runs.at("append-room-first", "first-setupmapping");

        List<Part> parts = VIEW.parts(subject);

        assertEquals("Byte 12: 0x0a.", says(parts, "byte-12"));
        assertEquals("Byte 13: zero.", says(parts, "byte-13"));
        assertEquals("Byte 18: not there now.", says(parts, "byte-18"));
        assertEquals("Half done: neither the file before pwrite nor the one after it.", says(parts, "progress"));
        assertEquals(
                3,
                parts.stream()
                        .filter(part -> part.says().endsWith("half done."))
                        .count());
    }

    private static String says(List<Part> parts, String id) {
        return parts.stream()
                .filter(part -> part.id().equals(id))
                .findFirst()
                .map(Part::says)
                .orElse("");
    }

    /// The slider is a way through the run: each end of it is one of the run, and a state's piece
    /// leads into that state.
    ///
    /// Seen to catch: a slider that is denser at its beginning.
    @Test
    void theSliderLeadsToTheMomentThatItShows() {
        Subject subject = Runs.at("append-room-first", "start");
        List<Part> pieces = VIEW.parts(subject).stream()
                .filter(part -> part.id().startsWith("event-"))
                .toList();
        assertEquals(subject.run().hostFiles().states().size(), pieces.size());
        for (int i = 0; i < pieces.size(); i++) {
            Box box = pieces.get(i).box();
            int middle = VIEW.moment(subject, box.middleX(), box.middleY()).orElseThrow();
            assertEquals(
                    subject.run().hostFiles().states().get(i),
                    subject.run().hostFiles().at(middle).orElseThrow());
        }
        assertEquals(
                0, VIEW.moment(subject, 0, pieces.getFirst().box().middleY()).orElseThrow());
        assertTrue(VIEW.moment(subject, 100, 100).isEmpty());
    }

    /// A capture has no file data, and says so; a run beside another has two sliders.
    ///
    /// Seen to catch: a capture that says that nothing was ever half done.
    @Test
    void aCaptureSaysThatNobodyLooked() {
        Run run = Runs.of("append-write");
        Run capture = Run.of(IntStream.range(0, run.size()).mapToObj(run::event).toList(), Map.of());
        assertEquals(
                List.of("caption"),
                VIEW.parts(Subject.of(capture, Session.START, 800, 500)).stream()
                        .map(Part::id)
                        .toList());

        Subject both = new Subject(run, Optional.of(capture), Session.START, 800, 500);
        assertFalse(VIEW.parts(both).isEmpty());
    }
}
