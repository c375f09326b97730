package vitrine.visualizer.window;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/// A field to type into, and what there is that sounds like it.
final class Palette extends VBox {

    /// Something that can be chosen.
    ///
    /// @param kind what sort of thing it is, such as `view`
    record Choice(String title, String kind, Runnable deed) {}

    private static final int SHOWN = 200;

    private final TextField field = new TextField();
    private final ListView<Choice> list = new ListView<>();
    private final List<Choice> all;
    private final Runnable close;
    private Function<String, List<Choice>> more = _ -> List.of();

    /// @param prompt what is to be typed
    /// @param close puts the palette away
    Palette(String prompt, List<Choice> choices, Runnable close) {
        this.all = choices;
        this.close = close;
        setId("palette-card");
        getStyleClass().add("card");
        setMaxSize(520, Region.USE_PREF_SIZE);
        field.setId("palette-field");
        field.setPromptText(prompt);
        field.setAccessibleText(prompt);
        list.setId("palette-list");
        list.setAccessibleText("What fits");
        list.setFixedCellSize(30);
        list.setPrefHeight(300);
        list.setCellFactory(_ -> new ChoiceCell());
        list.setFocusTraversable(false);
        list.setOnMouseClicked(_ -> chosen());
        field.textProperty().addListener((_, _, text) -> look(text));
        field.addEventFilter(KeyEvent.KEY_PRESSED, this::key);
        getChildren().addAll(field, list);
        look("");
    }

    TextField field() {
        return field;
    }

    /// Offers more, depending on what was typed, unless it is in the list.
    void alsoOffer(Function<String, List<Choice>> offer) {
        more = offer;
    }

    private void look(String text) {
        Stream<Choice> typed = more.apply(text).stream()
                .filter(choice ->
                        all.stream().noneMatch(listed -> listed.title().equals(choice.title())));
        list.getItems()
                .setAll(Stream.concat(typed, all.stream())
                        .filter(choice -> distance(choice, text) >= 0)
                        .sorted(Comparator.comparingInt(choice -> distance(choice, text)))
                        .limit(SHOWN)
                        .toList());
        list.getSelectionModel().selectFirst();
        list.scrollTo(0);
    }

    private static int distance(Choice choice, String text) {
        return distance(choice.title() + " " + choice.kind(), text);
    }

    /// How much lies between the letters that were typed; -1 if they are not all there, in order.
    static int distance(String title, String typed) {
        String in = title.toLowerCase(Locale.ROOT);
        int whole = in.indexOf(typed.toLowerCase(Locale.ROOT));
        if (whole >= 0) {
            return whole;
        }
        int at = -1;
        int skipped = 1000;
        for (char letter : typed.toLowerCase(Locale.ROOT).toCharArray()) {
            int found = in.indexOf(letter, at + 1);
            if (found < 0) {
                return -1;
            }
            skipped += found - at - 1;
            at = found;
        }
        return skipped;
    }

    private void key(KeyEvent event) {
        int now = list.getSelectionModel().getSelectedIndex();
        if (event.getCode() == KeyCode.DOWN || event.getCode() == KeyCode.UP) {
            int next = Math.clamp(
                    now + (event.getCode() == KeyCode.DOWN ? 1L : -1L),
                    0,
                    list.getItems().size() - 1);
            list.getSelectionModel().select(next);
            list.scrollTo(Math.max(0, next - 4));
            event.consume();
        } else if (event.getCode() == KeyCode.ENTER) {
            chosen();
            event.consume();
        }
    }

    private void chosen() {
        Choice choice = list.getSelectionModel().getSelectedItem();
        if (choice != null) {
            close.run();
            choice.deed().run();
        }
    }

    private static final class ChoiceCell extends ListCell<Choice> {

        @Override
        protected void updateItem(Choice choice, boolean empty) {
            super.updateItem(choice, empty);
            setText(empty ? null : choice.title());
            if (empty) {
                setGraphic(null);
                setAccessibleText("");
                return;
            }
            Label kind = new Label(choice.kind());
            kind.getStyleClass().add("kind");
            kind.setMinWidth(76);
            setGraphic(kind);
            setAccessibleText(choice.kind() + " " + choice.title());
        }
    }
}
