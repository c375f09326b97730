package vitrine.conformance.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollBar;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.junit.jupiter.api.Test;

/// What somebody does who shows the window to others, or who reads it in large letters.
class LectureTest extends AtTheWindow {

    /// A remote control has Page Up, Page Down and B. After the lecture everything looks as before.
    ///
    /// Seen to catch: a lecture that ends in the light theme, a breakpoint set by B.
    @Test
    void aRemoteControlStepsAndDarkens() throws Exception {
        Reader reader = Reader.opens(LINK).presses(KeyCode.T);
        String before = style(reader);
        int step = reader.step();

        reader.presses(KeyCode.L).presses(KeyCode.PAGE_DOWN).presses(KeyCode.B);
        assertTrue(reader.sees("#dark"));
        assertNotEquals(before, style(reader));
        reader.presses(KeyCode.B);
        assertFalse(reader.sees("#dark"));
        reader.presses(KeyCode.ESCAPE);
        assertEquals(before, style(reader));
        assertTrue(reader.step() > step);

        reader.presses(KeyCode.L).presses(KeyCode.PAGE_UP).presses(KeyCode.ESCAPE);
        assertEquals(step, reader.step());
    }

    private static String style(Reader reader) throws Exception {
        return Screen.does(() -> reader.scene().getRoot().getStyle());
    }

    /// Hands are counted, bars are shares of them, and to reveal is to make the step.
    ///
    /// Seen to catch: bars that are shares of the first answer.
    @Test
    void aPollCountsHandsAndRevealsByStepping() throws Exception {
        Reader reader = Reader.opens(LINK);
        int step = reader.step();
        reader.presses(KeyCode.Q).types("3").presses(KeyCode.TAB).types("9");
        List<Double> shares = Screen.does(() -> reader.scene().lookup("#poll").lookupAll(".progress-bar").stream()
                .map(bar -> ((ProgressBar) bar).getProgress())
                .toList());
        assertEquals(List.of(0.25, 0.75, 0.0, 0.0), shares);
        assertEquals(step, reader.step());

        Screen.does(() -> {
            ((Button) reader.scene().lookup("#poll-reveal")).fire();
            return null;
        });

        assertTrue(reader.settles().step() > step);
        String right = Screen.does(() -> ((Label) reader.scene().lookup("#poll .right")).getText());
        assertTrue(right.contains("kick"), right);
    }

    /// The lecturer reads ahead.
    ///
    /// Seen to catch: notes that do not follow the steps.
    @Test
    void notesSayWhatComesNext() throws Exception {
        Reader reader = Reader.opens(LINK).presses(KeyCode.SHIFT, KeyCode.L);
        String next = inNotes("#notes-next");
        assertTrue(next.startsWith("The driver kicks"), next);
        assertEquals("Why does a small write ask for an extended attribute?", inNotes("#notes-question"));

        Screen.does(() -> {
            ((Button) reader.scene().lookup("#step")).fire();
            return null;
        });

        assertEquals(next, inNotes("#notes-now"));
        Screen.does(() -> {
            notes().close();
            return null;
        });
    }

    private static Stage notes() {
        return (Stage) Window.getWindows().stream()
                .filter(window -> window.getScene().lookup("#notes-now") != null)
                .findFirst()
                .orElseThrow();
    }

    private static String inNotes(String id) throws Exception {
        return Screen.does(() -> ((Label) notes().getScene().lookup(id)).getText());
    }

    /// What does not fit can be scrolled to.
    ///
    /// Seen to catch: a list that stays where it is.
    @Test
    void aLongListIsScrolled() throws Exception {
        Reader reader = Reader.opens("write-pages@write-9?view=rings");
        String before = reader.hears("more below");
        assertFalse(before.isEmpty());

        reader.presses(KeyCode.CONTROL, KeyCode.DOWN);
        assertTrue(reader.hears("5 above").contains("5 above"));
        assertNotEquals(before, reader.hears("more below"));

        reader.presses(KeyCode.CONTROL, KeyCode.UP);
        assertEquals(before, reader.hears("more below"));
    }

    /// Large letters leave a picture too little room: it is shown in parts.
    ///
    /// Seen to catch: a picture that is drawn into the room there is.
    @Test
    void largeLettersMakeThePictureScroll() throws Exception {
        Reader reader = Reader.opens(LINK);
        assertFalse(Screen.does(() -> scrolls(reader)));
        for (int i = 0; i < 3; i++) {
            reader.presses(KeyCode.CONTROL, KeyCode.EQUALS);
        }
        Screen.until("scroll bars", () -> scrolls(reader));
    }

    private static boolean scrolls(Reader reader) {
        return reader.scene().lookup("#view").lookupAll(".scroll-bar").stream()
                .anyMatch(bar -> bar.isVisible() && ((ScrollBar) bar).getMax() > 0);
    }

    /// Opcodes, fields and the words of the specification are found like all else.
    ///
    /// Seen to catch: a palette without opcodes.
    @Test
    void thePaletteKnowsTheWordsOfTheSpecification() throws Exception {
        Reader reader = Reader.opens(LINK).presses(KeyCode.CONTROL, KeyCode.K);
        for (String kind : List.of("opcode", "field", "term")) {
            String found = Screen.does(() -> {
                ((TextField) reader.scene().lookup("#palette-field")).setText(kind);
                return ((ListView<?>) reader.scene().lookup("#palette-list"))
                        .getItems()
                        .toString();
            });
            assertTrue(found.contains("kind=" + kind), kind + ": " + found);
        }
    }

    /// Seen to catch: a reader who leaves a run unnoticed.
    @Test
    void theStartPageSaysWhereTheReaderWas() throws Exception {
        Reader reader = Reader.opens("first-byte@first-read");
        int step = reader.step();
        reader.presses(KeyCode.CONTROL, KeyCode.HOME);
        String said =
                Screen.does(() -> reader.scene().lookup("#scenario-first-byte").getAccessibleText());
        assertTrue(said.endsWith("last seen at step " + step), said);
    }
}
