package vitrine.visualizer.window;

import javafx.animation.PauseTransition;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.util.Duration;

/// What lies in front of the window: one card at a time, and now and then a sentence that goes
/// away.
final class Overlay extends StackPane {

    private final Region veil = new Region();
    private final Label sentence = new Label();
    private final PauseTransition reading = new PauseTransition(Duration.seconds(5));
    private Node card;
    private Node returnTo;

    Overlay(Node behind) {
        veil.getStyleClass().add("veil");
        veil.setVisible(false);
        veil.setOnMousePressed(_ -> close());
        sentence.setId("sentence");
        sentence.getStyleClass().addAll("card");
        sentence.setWrapText(true);
        sentence.setMaxWidth(560);
        sentence.setVisible(false);
        setAlignment(sentence, Pos.BOTTOM_CENTER);
        setMargin(sentence, new Insets(0, 0, 44, 0));
        reading.setOnFinished(_ -> sentence.setVisible(false));
        getChildren().addAll(behind, veil, sentence);
    }

    boolean isOpen() {
        return card != null;
    }

    /// Shows a card; the keyboard goes to a node of it, and comes back when it is closed.
    void open(Node shown, Node focus, Pos place) {
        close();
        returnTo = getScene() == null ? null : getScene().getFocusOwner();
        card = shown;
        setAlignment(card, place);
        setMargin(card, new Insets(56, 16, 16, 16));
        getChildren().add(card);
        veil.setVisible(true);
        focus.requestFocus();
    }

    /// Whether there was something to close.
    boolean close() {
        boolean was = card != null || sentence.isVisible();
        sentence.setVisible(false);
        if (card != null) {
            getChildren().remove(card);
            card = null;
            veil.setVisible(false);
            if (returnTo != null) {
                returnTo.requestFocus();
            }
        }
        return was;
    }

    /// Says something for some seconds.
    void say(String text) {
        sentence.setText(text);
        sentence.setAccessibleText(text);
        sentence.setVisible(true);
        sentence.toFront();
        reading.playFromStart();
    }
}
