package vitrine.conformance.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import javafx.scene.control.Button;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.command.Opened;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Link;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.view.Views;

/// What can be done with what one sees: filter by it, stop at it, count it, measure between two
/// moments, run it again another way.
class ActionTest extends AtTheWindow {

    /// Whatever is pointed at can be filtered by, left out, counted, and linked to.
    ///
    /// Caught: a menu of the selected part instead of the one under the mouse.
    @Test
    void theRightButtonOffersWhatCanBeDoneWithAThing() throws Exception {
        Reader reader = Reader.opens(LINK);
        String event = "event-" + (reader.step() - 1);

        reader.chooses("#view", Views.named("path"), event, "count");
        Screen.until(
                "the count",
                () -> reader.said().endsWith(": 8 requests") || reader.said().endsWith(": 8 events"));

        reader.chooses("#view", Views.named("path"), event, "filter");
        Screen.until("the filter", () -> reader.requests().startsWith("8 requests"));
        String like = reader.link().filter();
        assertTrue(like.contains("GETXATTR"), like);

        reader.presses(KeyCode.CONTROL, KeyCode.Z);
        reader.chooses("#view", Views.named("path"), event, "exclude");
        assertEquals("!(" + like + ")", reader.link().filter());

        reader.chooses("#view", Views.named("path"), event, "link");
        assertEquals(event, reader.link().selection());
    }

    /// A field of the inspector can be asked for by its value.
    ///
    /// Caught: a menu of the selected part instead of the one under the mouse.
    @Test
    void aFieldStandsForItsValue() throws Exception {
        Reader reader = Reader.opens("killpriv-off@write-2");
        String part = Views.named("inspector").parts(subject("killpriv-off@write-2")).stream()
                .map(each -> each.id())
                .filter(id -> id.endsWith(".nodeid"))
                .findFirst()
                .orElseThrow();

        reader.chooses("#inspector", Views.named("inspector"), part, "filter");

        assertTrue(
                reader.link().filter().matches("nodeid == [2-9]"), reader.link().filter());
        Screen.until("the filter", () -> !reader.requests().startsWith("23 requests"));
    }

    private static Subject subject(String link) throws Exception {
        Opened opened = Opened.of(link);
        return Subject.of(opened.run(), opened.session(), 400, 500);
    }

    /// B stops at events like the present one: R runs to the next of them. Both are questions in
    /// the language of the filter, and Shift+B takes the filter's own.
    ///
    /// Caught: a search that begins with the present event.
    @Test
    void aBreakpointIsWhereRunningStops() throws Exception {
        Reader reader = Reader.opens("killpriv-off@first-write");
        int first = reader.step();
        reader.presses(KeyCode.B).presses(KeyCode.R);
        Screen.until("the next write", () -> reader.stepNow() > first);
        assertTrue(reader.status().contains(" WRITE "), reader.status());
        reader.presses(KeyCode.B); // stops no more at these
        reader.asks("host.syscall == \"pwritev2\" && within(syscall 7)");
        reader.presses(KeyCode.SHIFT, KeyCode.B).presses(KeyCode.R);
        Screen.until("the write of call 7", () -> reader.statusNow().contains("system call 7"));
        assertTrue(reader.status().contains(" WRITE "), reader.status());
    }

    /// Two markers tell what happened between them; Shift+M removes both.
    ///
    /// Caught: calls counted as kicks.
    @Test
    void markersTellWhatLiesBetween() throws Exception {
        Reader reader = Reader.opens("killpriv-off@call-4");
        reader.presses(KeyCode.M);
        for (int i = 0; i < 4; i++) {
            reader.presses(KeyCode.SHIFT, KeyCode.RIGHT); // two system calls on, two requests each
        }
        reader.presses(KeyCode.M);

        String between = reader.status();
        assertTrue(between.contains("A to B: model "), between);
        assertTrue(between.contains(" 4 requests, 4 kicks, "), between);

        reader.presses(KeyCode.SHIFT, KeyCode.M);
        assertTrue(!reader.status().contains("A to B"), reader.status());
    }

    /// 64 steps can be taken back, and no more.
    ///
    /// Caught: a history of 32.
    @Test
    void sixtyFourDeedsCanBeTakenBack() throws Exception {
        Reader reader = Reader.opens("killpriv-off@start");
        int[] steps = new int[71];
        for (int i = 1; i <= 70; i++) {
            steps[i] = reader.presses(KeyCode.RIGHT).step();
        }
        for (int i = 0; i < 64; i++) {
            reader.presses(KeyCode.CONTROL, KeyCode.Z);
        }
        assertEquals(steps[6], reader.step());
        reader.presses(KeyCode.CONTROL, KeyCode.Z);
        assertEquals(steps[6], reader.step());
    }

    /// From a step on, the disk is full: what came before is the same, and what comes after is not.
    ///
    /// Caught: a fault from the beginning.
    @Test
    void aForkGoesAnotherWayFromItsStepOn() throws Exception {
        Reader reader = Reader.opens("killpriv-off@call-6");
        int step = reader.step();
        reader.presses(KeyCode.F);
        Screen.until(
                "the palette", () -> reader.scene().lookup("#palette-field").isFocused());
        Screen.does(() -> {
            ((TextField) reader.scene().lookup("#palette-field")).setText("disk is full");
            return null;
        });
        reader.presses(KeyCode.ENTER);
        Screen.until(
                "the other run",
                () -> reader.scene().lookup("#tab-compare").getPseudoClassStates().stream()
                        .anyMatch(state -> state.getPseudoClassName().equals("selected")));

        Link link = reader.link();
        assertEquals("killpriv-off+disk-full-from-" + step, link.other());
        Run was = Opened.run(link.run());
        Run is = Opened.run(link.other());
        for (int n = 0; n < step; n++) {
            assertEquals(was.event(n), is.event(n), "event " + n);
        }
        assertEquals(
                0,
                was.stories().all().stream()
                        .filter(story -> story.error() == 28)
                        .count());
        assertTrue(is.stories().all().stream().anyMatch(story -> story.error() == 28), "nobody was told ENOSPC");
    }

    /// The five experiments open before and after, beside each other.
    ///
    /// Caught: the second of a pair opened alone.
    @Test
    void experimentsOpenInCompare() throws Exception {
        for (List<Scenario> pair : Gallery.EXPERIMENTS) {
            Reader reader = Reader.opens("");
            Scenario chosen = pair.get(Gallery.EXPERIMENTS.indexOf(pair) % 2);
            Screen.does(() -> {
                ((Button) reader.scene().lookup("#scenario-" + chosen.name())).fire();
                return null;
            });
            Screen.until("the first run", () -> reader.statusNow().startsWith("step "));
            Link link = reader.link();
            for (int i = 0; i < 1000 && link.other().isEmpty(); i++) {
                Thread.sleep(20);
                link = reader.link();
            }
            assertEquals(pair.getFirst().name(), link.run());
            assertEquals(pair.getLast().name(), link.other());
            assertEquals("compare", link.view());
        }
    }

    /// G takes any moment, also one that no list has.
    ///
    /// Caught: only what is listed.
    @Test
    void goToTakesAnyMoment() throws Exception {
        Reader reader = Reader.opens("killpriv-off");
        reader.presses(KeyCode.G).types("step-333").presses(KeyCode.ENTER);
        assertEquals(333, reader.step());
    }
}
