package vitrine.conformance.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.view.Views;

/// What a reader does at the window, and what comes of it.
class WindowTest extends AtTheWindow {

    /// Caught: the anchor of the link not looked for.
    @Test
    void aLinkOpensAtItsMomentAndIsGivenBack() throws Exception {
        Reader reader = Reader.opens(LINK + "?view=rings");

        assertTrue(reader.status().matches("step \\d+ of \\d+ .* GETXATTR .*model .*"), reader.status());
        assertEquals("rings", reader.view());
        assertEquals("killpriv-off", reader.link().run());
        assertEquals("step-" + reader.step(), reader.link().anchor());
        assertEquals("rings", reader.link().view());
    }

    /// Caught: `previous` that goes back to the last access to the ring.
    @Test
    void stepsForthAndBackEndWhereTheyBegan() throws Exception {
        Reader reader = Reader.opens(LINK);
        int before = reader.step();

        reader.presses(KeyCode.RIGHT).presses(KeyCode.RIGHT).presses(KeyCode.RIGHT);
        assertTrue(reader.step() > before + 2);
        reader.presses(KeyCode.LEFT).presses(KeyCode.LEFT).presses(KeyCode.LEFT);
        assertEquals(before, reader.step());

        reader.presses(KeyCode.HOME);
        assertEquals(0, reader.step());
        reader.presses(KeyCode.END);
        assertTrue(reader.status().matches("step (\\d+) of \\1 .*"), reader.status());
    }

    /// Undo brings back where one was, and redo where one came from.
    ///
    /// Caught: a history that forgets the place that is left.
    @Test
    void undoGoesBackAndRedoForth() throws Exception {
        Reader reader = Reader.opens(LINK);
        int before = reader.step();
        reader.presses(KeyCode.SHIFT, KeyCode.RIGHT).presses(KeyCode.DIGIT2);
        int after = reader.step();
        assertNotEquals(before, after);
        assertEquals("rings", reader.view());

        reader.presses(KeyCode.CONTROL, KeyCode.Z);
        assertEquals("path", reader.view());
        assertEquals(after, reader.step());
        reader.presses(KeyCode.CONTROL, KeyCode.Z);
        assertEquals(before, reader.step());
        reader.presses(KeyCode.CONTROL, KeyCode.Y).presses(KeyCode.CONTROL, KeyCode.Y);
        assertEquals("rings", reader.view());
    }

    /// Space plays until it is pressed again; then nothing moves.
    ///
    /// Caught: a player that goes on after the pause.
    @Test
    void playGoesOnAndPauseStops() throws Exception {
        Reader reader = Reader.opens("killpriv-off");
        for (int i = 0; i < 4; i++) {
            reader.presses(KeyCode.CLOSE_BRACKET);
        }
        reader.presses(KeyCode.SPACE);
        Screen.until("five steps", () -> reader.stepNow() > 5);
        reader.presses(KeyCode.SPACE);
        int stopped = reader.step();
        Thread.sleep(150);
        assertEquals(stopped, reader.step());
    }

    /// A filter leaves the requests that match, and the keys of the filter go from one to the next.
    ///
    /// Caught: what is wrong with a filter lost on its way to the field.
    @Test
    void theFilterFiltersAndAWrongOneSaysSo() throws Exception {
        Reader reader = Reader.opens("killpriv-off");
        reader.presses(KeyCode.SLASH);
        Screen.does(() -> {
            ((TextField) reader.scene().lookup("#filter")).setText("op == WRITE");
            return null;
        });
        reader.presses(KeyCode.ENTER);
        Screen.until("the filter", () -> reader.requests().startsWith("8 requests"));
        reader.presses(KeyCode.ESCAPE).presses(KeyCode.PERIOD);
        assertTrue(reader.status().contains(" WRITE "), reader.status());
        assertEquals("op == WRITE", reader.link().filter());

        reader.presses(KeyCode.SLASH);
        Screen.does(() -> {
            ((TextField) reader.scene().lookup("#filter")).setText("op ==");
            return null;
        });
        reader.presses(KeyCode.ENTER);
        Screen.until(
                "the complaint",
                () -> reader.scene().lookup("#filter").getAccessibleText().contains("wrong"));
    }

    /// A click on a byte or a field selects it in every view.
    ///
    /// Caught: a click that selected nothing.
    @Test
    void aClickSelectsThePartUnderIt() throws Exception {
        Reader reader = Reader.opens(LINK);
        String event = "event-" + (reader.step() - 1);
        reader.link();

        reader.clicksPart("#view", Views.named("path"), event);

        assertEquals(event, reader.link().selection());
        reader.presses(KeyCode.ESCAPE);
        reader.presses(KeyCode.ESCAPE);
        assertEquals("", reader.link().selection());
    }

    /// The requests can be walked with the arrow keys alone.
    ///
    /// Caught: Down in the list taken for nothing.
    @Test
    void requestsAreWalkedByKeys() throws Exception {
        Reader reader = Reader.opens(LINK);
        Screen.does(() -> {
            reader.scene().lookup("#requests").requestFocus();
            return null;
        });
        int before = reader.step();
        reader.presses(KeyCode.DOWN);
        String next = reader.link().selection();
        assertTrue(reader.step() > before);

        reader.presses(KeyCode.DOWN);
        int number = Integer.parseInt(next.substring("request-".length()));
        assertEquals("request-" + (number + 1), reader.link().selection());
    }

    /// The palette finds a moment by some of its letters, and goes there.
    ///
    /// Caught: a palette that stays open after the choice.
    @Test
    void thePaletteGoesWhereItIsTold() throws Exception {
        Reader reader = Reader.opens("killpriv-off");
        reader.presses(KeyCode.CONTROL, KeyCode.K);
        assertTrue(reader.sees("#palette-card"));
        reader.types("first-wri");
        assertTrue(Screen.does(() -> !((ListView<?>) reader.scene().lookup("#palette-list"))
                .getItems()
                .isEmpty()));
        reader.presses(KeyCode.ENTER);
        assertFalse(reader.sees("#palette-card"));
        assertTrue(reader.status().contains(" WRITE "), reader.status());
        reader.presses(KeyCode.RIGHT);
        assertTrue(reader.step() > 1);
    }

    /// The same run with one thing changed is compared with this one, and N goes from difference to
    /// difference, also to what only the other run has; Shift+N goes back.
    ///
    /// Caught: a palette that stays open after the choice; differences of the first run only.
    @Test
    void aForkIsComparedWithWhatWas() throws Exception {
        Reader reader = Reader.opens("killpriv-on");
        reader.presses(KeyCode.F).types("leaves handle").presses(KeyCode.ENTER);
        Screen.until(
                "the other run",
                () -> reader.scene().lookup("#tab-compare").getPseudoClassStates().stream()
                        .anyMatch(state -> state.getPseudoClassName().equals("selected")));
        assertEquals("killpriv-on+without-killpriv-v2", reader.link().other());

        int before = reader.step();
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            differences.add(reader.presses(KeyCode.N).link().selection());
        }
        assertTrue(reader.step() > before);
        assertTrue(differences.stream().anyMatch(part -> part.startsWith("other-request-")), () -> "" + differences);
        reader.presses(KeyCode.SHIFT, KeyCode.N);
        assertEquals(differences.get(2), reader.link().selection());
    }

    /// In a lecture there is the view and nothing else; Escape ends it.
    ///
    /// Caught: the toolbar left in place.
    @Test
    void aLectureShowsOneViewOnly() throws Exception {
        Reader reader = Reader.opens(LINK);
        reader.presses(KeyCode.L);
        assertFalse(reader.sees("#toolbar"));
        assertFalse(reader.sees("#requests"));
        assertTrue(reader.sees("#view"));
        reader.presses(KeyCode.RIGHT).presses(KeyCode.ESCAPE);
        assertTrue(reader.sees("#toolbar"));
        assertTrue(reader.sees("#requests"));
    }

    /// ? lists every key that does something.
    ///
    /// Caught: the sheet without the last group.
    @Test
    void theHelpSheetListsTheKeys() throws Exception {
        Reader reader = Reader.opens(LINK);
        reader.presses(KeyCode.F1);
        assertTrue(reader.sees("#help-sheet"));
        List<String> keys = Screen.does(() -> EverybodyTest.all(reader.scene().getRoot()).stream()
                .filter(node -> node.getStyleClass().contains("key"))
                .map(node -> ((Label) node).getText())
                .toList());
        assertTrue(keys.containsAll(List.of("Right", "Space", "Ctrl+K", "?", "Ctrl+Z", "F", "B")), () -> "" + keys);
        assertEquals(keys.size(), keys.stream().distinct().count(), "a key has two meanings");
        reader.presses(KeyCode.ESCAPE);
        assertFalse(reader.sees("#help-sheet"));
    }
}
