package vitrine.conformance.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.SplitPane;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import vitrine.conformance.rules.Needs;
import vitrine.visualizer.paint.Theme;

/// A window that has just been opened.
class FirstWindowTest {

    private static Scene scene;

    @BeforeAll
    static void open() throws Exception {
        Needs.root(); // a scenario has programs of several users
        Screen.on();
        scene = Screen.scene(Theme.LIGHT, "killpriv-off@first-getxattr", 960, 700);
        Screen.until("the run", () -> !status().isEmpty());
    }

    private static String status() {
        return ((Label) scene.lookup("#status")).getText();
    }

    /// Caught: the anchor of the link not looked for.
    @Test
    void aLinkOpensAtItsMoment() throws Exception {
        String status = Screen.does(FirstWindowTest::status);
        assertTrue(status.contains(" GETXATTR "), status);
        assertTrue(status.matches("step \\d+ of \\d+ .*model .*"), status);
    }

    /// Whatever can be used can be heard: each control has a text of its own for a screen reader.
    ///
    /// Caught: the button of a command without its title.
    @Test
    void everyControlHasAccessibleText() throws Exception {
        List<String> silent = Screen.does(() -> all(scene.getRoot()).stream()
                .filter(node -> node.isFocusTraversable()
                        && !(node instanceof SplitPane || node instanceof ScrollPane || node instanceof ScrollBar))
                .filter(node -> node.getAccessibleText() == null
                        || node.getAccessibleText().isBlank())
                .map(node -> node.getClass().getSimpleName() + "#" + node.getId())
                .toList());
        assertEquals(List.of(), silent);
    }

    private static List<Node> all(Parent parent) {
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
