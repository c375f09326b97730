package vitrine.visualizer.window;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.geometry.Insets;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/// All keys on one page, made from [Command].
final class HelpSheet extends VBox {

    /// As high as each other.
    private static final List<List<String>> COLUMNS = List.of(
            List.of("Moving", "Walking"), List.of("Looking", "Lecturing"), List.of("Finding", "Comparing", "Keeping"));

    /// What whatever has the keyboard does by itself.
    private static final Map<String, String> WALKING = new LinkedHashMap<>();

    static {
        WALKING.put("Tab", "to the next part of the window");
        WALKING.put("Down", "to the next thing in it; Up: back");
        WALKING.put("Enter", "select it");
        WALKING.put("Shift+Enter", "go to its step");
    }

    HelpSheet() {
        setId("help-sheet");
        getStyleClass().add("card");
        setMaxSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
        Label title = new Label("Keys");
        title.getStyleClass().add("title");
        HBox columns = new HBox(28);
        COLUMNS.forEach(groups -> columns.getChildren().add(column(groups)));
        ScrollPane scroll = new ScrollPane(columns); // large letters
        scroll.setFitToWidth(true);
        scroll.getStyleClass().add("edge-to-edge");
        getChildren().addAll(title, scroll);
        setAccessibleText(Stream.of(Command.values())
                .map(command -> String.join(" or ", command.keys()) + ": " + command.title())
                .collect(Collectors.joining(". ")));
        setFocusTraversable(true);
    }

    private static VBox column(List<String> groups) {
        VBox column = new VBox(12);
        groups.forEach(group -> column.getChildren().add(group(group)));
        return column;
    }

    private static VBox group(String name) {
        GridPane grid = new GridPane(10, 4);
        int row = 0;
        Map<String, String> keys = new LinkedHashMap<>(name.equals("Walking") ? WALKING : Map.of());
        Stream.of(Command.values())
                .filter(command -> command.group().equals(name))
                .forEach(command -> keys.put(command.keys().getFirst(), command.title()));
        for (Map.Entry<String, String> entry : keys.entrySet()) {
            Label what = new Label(entry.getValue());
            what.setWrapText(true);
            what.setMaxWidth(200);
            grid.addRow(row++, key(entry.getKey()), what);
        }
        Label heading = new Label(name);
        heading.getStyleClass().add("heading");
        VBox box = new VBox(6, heading, grid);
        box.setPadding(new Insets(0));
        return box;
    }

    private static Label key(String name) {
        Label key = new Label(name.replace("Shortcut", "Ctrl"));
        key.getStyleClass().add("key");
        key.setMinWidth(USE_PREF_SIZE);
        return key;
    }
}
