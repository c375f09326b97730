package vitrine.conformance.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Labeled;
import javafx.scene.control.ScrollBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.SplitPane;
import javafx.scene.input.KeyCode;
import javafx.scene.text.Text;
import org.junit.jupiter.api.Test;

/// Whoever has no mouse, does not see well, or does not see at all.
class EverybodyTest extends AtTheWindow {

    /// Tab goes through the whole window and comes back, and whatever has the keyboard shows it:
    /// its picture is another one then.
    ///
    /// Seen to catch: a ring that the picture hides; a time line that Tab passes by.
    @Test
    void tabWalksThroughTheWindowAndIsSeen() throws Exception {
        Reader reader = Reader.opens(LINK);
        reader.presses(KeyCode.TAB); // from now on it is the keyboard that moves on
        List<String> unseen = new ArrayList<>();
        Set<String> walked = new HashSet<>();
        for (String id = reader.focused(); walked.add(id); id = reader.focused()) {
            int[] with = Screen.pixels(reader.scene(), "#" + id);
            reader.presses(KeyCode.TAB);
            if (Arrays.equals(with, Screen.pixels(reader.scene(), "#" + id))) {
                unseen.add(id);
            }
        }
        assertTrue(
                walked.containsAll(
                        List.of("view", "inspector", "timeline", "position", "requests", "filter", "speed", "help")),
                () -> "" + walked);
        assertEquals(List.of(), unseen);
    }

    /// At more than twice the size, no word of the status line, of a tab or of the help sheet is
    /// cut off: what does not fit goes into another line, or can be scrolled to.
    ///
    /// Seen to catch: a status line of one line.
    @Test
    void largeLettersAreReadToTheEnd() throws Exception {
        Reader reader = Reader.opens(LINK);
        for (int i = 0; i < 9; i++) {
            reader.presses(KeyCode.CONTROL, KeyCode.EQUALS);
        }
        reader.presses(KeyCode.F1);
        Screen.picture(reader.scene());

        List<String> cut = Screen.does(() -> all(reader.scene().getRoot()).stream()
                .filter(node -> node instanceof Labeled labeled && labeled.getText() != null && reader.isSeen(labeled))
                .filter(node -> node.lookup(".text") instanceof Text text
                        && !text.getText().equals(((Labeled) node).getText()))
                .map(node -> ((Labeled) node).getText())
                .toList());
        assertEquals(List.of(), cut);
        Bounds sheet = Screen.does(() -> {
            Node help = reader.scene().lookup("#help-sheet");
            return help.localToScene(help.getLayoutBounds());
        });
        assertTrue(sheet.getMinY() >= 0 && sheet.getMaxY() <= 700, sheet.toString());
    }

    /// Whatever can be used can be heard: each control has a text for a screen reader.
    ///
    /// Caught: the button of a command without its title.
    @Test
    void everyControlHasAccessibleText() throws Exception {
        Reader reader = Reader.opens(LINK);
        List<String> silent = Screen.does(() -> all(reader.scene().getRoot()).stream()
                .filter(node -> node.isFocusTraversable()
                        && !(node instanceof SplitPane || node instanceof ScrollPane || node instanceof ScrollBar))
                .filter(node -> node.getAccessibleText() == null
                        || node.getAccessibleText().isBlank())
                .map(node -> node.getClass().getSimpleName() + "#" + node.getId())
                .toList());
        assertEquals(List.of(), silent);
    }

    static List<Node> all(Parent parent) {
        return parent.getChildrenUnmodifiable().stream()
                .<Node>mapMulti((node, each) -> {
                    each.accept(node);
                    if (node instanceof Parent inner) {
                        all(inner).forEach(each);
                    }
                })
                .toList();
    }
}
