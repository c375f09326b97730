package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.paint.RecordingPainter.Written;
import vitrine.visualizer.paint.Typeface;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.Views;

/// What holds for each view, at each step, in each size that the window gives it.
class EveryViewTest {

    private static final double[][] SIZES = {{960, 560}, {640, 420}, {1440, 860}, {360, 520}};

    /// Text that runs over its cell is read as part of the next one.
    ///
    /// Seen to catch: text that is never shortened.
    @Test
    void noTextIsWiderThanItsPartOrLeavesThePicture() {
        List<String> findings = new ArrayList<>();
        for (Subject subject : subjects()) {
            for (View view : Views.ALL) {
                RecordingPainter recorder = new RecordingPainter();
                view.paint(subject, recorder);
                for (Written written : recorder.texts()) {
                    Box around = written.part().isEmpty() ? subject.area() : union(recorder, written.part());
                    Box line =
                            new Box(written.box().x(), around.y(), written.box().width(), 0);
                    if (!around.contains(line) || !subject.area().contains(written.box())) {
                        findings.add(view.name() + " " + subject.width() + "x" + subject.height() + " " + written.part()
                                + ": '" + written.text() + "' at " + written.box() + " in " + around);
                    }
                }
            }
        }
        assertEquals(List.of(), findings.stream().limit(10).toList());
    }

    /// A byte of a field and the field itself are parts of one name.
    private static Box union(RecordingPainter recorder, String id) {
        return recorder.parts().stream()
                .filter(part -> part.id().equals(id))
                .map(part -> part.box())
                .reduce((one, other) -> new Box(
                        Math.min(one.x(), other.x()),
                        Math.min(one.y(), other.y()),
                        Math.max(one.right(), other.right()) - Math.min(one.x(), other.x()),
                        Math.max(one.bottom(), other.bottom()) - Math.min(one.y(), other.y())))
                .orElseThrow();
    }

    @Test
    void everyLetterIsInTheBundledFonts() {
        for (Subject subject : subjects()) {
            for (View view : Views.ALL) {
                RecordingPainter recorder = new RecordingPainter();
                view.paint(subject, recorder);
                for (Written written : recorder.texts()) {
                    Typeface face = Typeface.of(written.type());
                    written.text()
                            .chars()
                            .forEach(
                                    letter -> assertTrue(face.has((char) letter), view.name() + ": " + written.text()));
                }
            }
        }
    }

    @Test
    void everyPartSaysASentence() {
        for (Subject subject : subjects()) {
            for (View view : Views.ALL) {
                view.parts(subject).forEach(part -> assertTrue(part.says().length() > 2, view.name() + ": " + part));
            }
        }
    }

    /// The same subject gives the same strokes: no view keeps anything, or asks a clock.
    @Test
    void viewIsAFunction() {
        for (Subject subject : subjects()) {
            for (View view : Views.ALL) {
                RecordingPainter first = new RecordingPainter();
                view.paint(subject, first);
                RecordingPainter second = new RecordingPainter();
                view.paint(subject, second);
                assertEquals(first.texts(), second.texts(), view.name());
                assertEquals(first.boxes(), second.boxes(), view.name());
            }
        }
    }

    @Test
    void emptyRunIsAPictureToo() {
        Run empty = Run.of(List.of(), Map.of());
        for (View view : Views.ALL) {
            RecordingPainter recorder = new RecordingPainter();
            view.paint(Subject.of(empty, Session.START, 960, 560), recorder);
            assertTrue(recorder.calls() > 0, view.name());
        }
    }

    private static List<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        for (String scenario : List.of(
                "killpriv-off", "window-read", "ring-flags", "ring-indirect", "patch-guest-kills", "handshake")) {
            Run run = Runs.of(scenario);
            for (int position = 0; position <= run.size(); position += 83) {
                double[] size = SIZES[position / 83 % SIZES.length];
                Session session = Session.START.at(position);
                Optional<Run> other = position % 2 == 0 ? Optional.of(Runs.of("killpriv-on")) : Optional.empty();
                subjects.add(new Subject(run, other, session, size[0], size[1]));
            }
        }
        return subjects;
    }

    /// The hatch in a slot of the DAX window has a legend as long as there is such a slot.
    ///
    /// Seen to catch: a hatch that nobody explains.
    @Test
    void whatIsMappedToReadOnlyHasALegend() {
        assertTrue(legend("first-destroy").contains("mapped to read only"));
        assertTrue(legend("start").isEmpty());
    }

    private static String legend(String anchor) {
        RecordingPainter recorder = new RecordingPainter();
        Views.named("dax").paint(Runs.at("window-read", anchor), recorder);
        return recorder.texts().stream()
                .map(Written::text)
                .filter(text -> text.startsWith("mapped"))
                .collect(Collectors.joining());
    }
}
