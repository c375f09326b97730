package vitrine.conformance.window;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.geometry.Bounds;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.TextInputControl;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseButton;
import javafx.scene.robot.Robot;
import javafx.stage.Stage;
import javafx.stage.Window;
import vitrine.visualizer.command.Opened;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.scenario.Link;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.Views;
import vitrine.visualizer.window.Viewer;

/// Somebody at the window: presses keys, clicks, and reads what is there. All by JavaFX's own
/// robot, in a window of the smallest size.
final class Reader {

    private static final double WIDTH = 960;
    private static final double HEIGHT = 700;

    private static Stage stage;

    private final Scene scene;

    private Reader(Scene scene) {
        this.scene = scene;
    }

    /// Opens a link in the one stage that there is.
    static Reader opens(String link) throws Exception {
        Reader reader = sits(() -> Viewer.content(Theme.LIGHT, link));
        Screen.until("the run", () -> link.isEmpty() || !reader.text("#status").isEmpty());
        return reader;
    }

    /// Follows a capture socket.
    static Reader follows(Path socket) throws Exception {
        return sits(() -> Viewer.following(Theme.LIGHT, socket));
    }

    private static Reader sits(Supplier<Parent> before) throws Exception {
        Screen.on();
        Reader reader = Screen.does(() -> {
            Scene scene = new Scene(before.get(), WIDTH, HEIGHT);
            if (stage == null) {
                stage = new Stage();
            }
            stage.setScene(scene);
            stage.show();
            return new Reader(scene);
        });
        Screen.until("the keyboard", () -> stage.isFocused());
        return reader;
    }

    /// Presses keys together, and waits until all that follows has been done.
    Reader presses(KeyCode... keys) throws Exception {
        Screen.does(() -> {
            Robot robot = new Robot();
            for (KeyCode key : keys) {
                robot.keyPress(key);
            }
            for (int i = keys.length - 1; i >= 0; i--) {
                robot.keyRelease(keys[i]);
            }
            return null;
        });
        return settles();
    }

    /// Writes lower case letters, digits, blanks and minus signs, as soon as there is a field for
    /// them.
    Reader types(String text) throws Exception {
        Screen.until("a field", () -> scene.getFocusOwner() instanceof TextInputControl);
        for (char letter : text.toCharArray()) {
            presses(
                    switch (letter) {
                        case ' ' -> KeyCode.SPACE;
                        case '-' -> KeyCode.MINUS;
                        default -> KeyCode.getKeyCode(String.valueOf(Character.toUpperCase(letter)));
                    });
        }
        return this;
    }

    /// Filters by a question.
    Reader asks(String question) throws Exception {
        presses(KeyCode.SLASH);
        Screen.does(() -> {
            ((TextField) scene.lookup("#filter")).setText(question);
            return null;
        });
        return presses(KeyCode.ENTER).presses(KeyCode.ESCAPE);
    }

    /// Clicks on a part of a picture.
    Reader clicksPart(String pane, View view, String part) throws Exception {
        return clicksAt(place(pane, view, part), MouseButton.PRIMARY);
    }

    /// Clicks with the right button on a part of a picture, and chooses from the menu.
    Reader chooses(String pane, View view, String part, String item) throws Exception {
        link();
        clicksAt(place(pane, view, part), MouseButton.SECONDARY);
        Screen.until("the menu", () -> menu().isPresent());
        Screen.does(() -> {
            ContextMenu menu = menu().orElseThrow();
            menu.getItems().stream()
                    .filter(each -> ("menu-" + item).equals(each.getId()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no " + item))
                    .fire();
            menu.hide();
            return null;
        });
        return settles();
    }

    private static Optional<ContextMenu> menu() {
        return Window.getWindows().stream()
                .filter(window -> window instanceof ContextMenu && window.isShowing())
                .map(ContextMenu.class::cast)
                .findFirst();
    }

    private Point2D place(String pane, View view, String part) throws Exception {
        return Screen.does(() -> {
            Node node = scene.lookup(pane);
            Bounds bounds = node.getLayoutBounds();
            Part found = view.parts(subject(bounds)).stream()
                    .filter(each -> each.id().equals(part))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no part " + part));
            return node.localToScreen(
                    found.box().x() + found.box().width() / 2,
                    found.box().y() + found.box().height() / 2);
        });
    }

    private Subject subject(Bounds bounds) {
        try {
            Link link = Link.parse(linkNow());
            var run = Opened.run(link.run());
            Session session = Session.START
                    .at(Integer.parseInt(link.anchor().substring(5)))
                    .select(link.selection());
            return Subject.of(run, session, bounds.getWidth(), bounds.getHeight());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String linkNow() {
        return Clipboard.getSystemClipboard().getString();
    }

    private Reader clicksAt(Point2D point, MouseButton button) throws Exception {
        Screen.does(() -> {
            Robot robot = new Robot();
            robot.mouseMove(point);
            robot.mousePress(button);
            robot.mouseRelease(button);
            return null;
        });
        return settles();
    }

    /// The link to where the reader is now, as Ctrl+L gives it.
    Link link() throws Exception {
        Screen.does(() -> Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, "")));
        presses(KeyCode.CONTROL, KeyCode.L);
        Screen.until("the link", () -> !linkNow().isEmpty());
        return Link.parse(Screen.does(this::linkNow));
    }

    /// How many events have happened.
    int step() throws Exception {
        return Screen.does(this::stepNow);
    }

    String status() throws Exception {
        return Screen.does(this::statusNow);
    }

    /// The same, on the JavaFX thread.
    String statusNow() {
        return text("#status");
    }

    int stepNow() {
        return Integer.parseInt(statusNow().split(" ")[1]);
    }

    /// How many requests there are, in words.
    String requests() {
        return scene.lookup("#requests").getAccessibleText();
    }

    /// What the window has said last.
    String said() {
        return text("#sentence");
    }

    /// What stands in a label.
    String text(String id) {
        return ((Label) scene.lookup(id)).getText();
    }

    /// Whether something is there and can be seen.
    boolean sees(String id) throws Exception {
        return Screen.does(() -> isSeen(id));
    }

    private boolean isSeen(String id) {
        return isSeen(scene.lookup(id));
    }

    /// Whether a part of the window can be seen.
    boolean isSeen(Node part) {
        for (Node node = part; node != null; node = node.getParent()) {
            if (!node.isVisible()) {
                return false;
            }
            if (node == scene.getRoot()) {
                return true;
            }
        }
        return false;
    }

    /// The id of what has the keyboard.
    String focused() throws Exception {
        return Screen.does(() -> scene.getFocusOwner().getId());
    }

    /// The view whose tab is chosen.
    String view() throws Exception {
        return Screen.does(() -> Views.ALL.stream()
                .map(View::name)
                .filter(name -> scene.lookup("#tab-" + name) instanceof ToggleButton tab && tab.isSelected())
                .findFirst()
                .orElse(""));
    }

    /// Walks along the parts of the view until one says this, and gives all that it says; empty if
    /// none does.
    String hears(String words) throws Exception {
        for (int i = 0; i < 200; i++) {
            presses(KeyCode.DOWN);
            String heard = Screen.does(() -> {
                ((Parent) scene.lookup("#view")).layout();
                return scene.lookup("#view").getAccessibleText();
            });
            if (heard.contains(words)) {
                return heard;
            }
        }
        return "";
    }

    Scene scene() {
        return scene;
    }

    /// Waits for two pulses.
    Reader settles() throws Exception {
        Screen.does(() -> null);
        Screen.does(() -> null);
        return this;
    }
}
