package vitrine.visualizer.window;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.geometry.Insets;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/// All keys on one page, made from [Command].
final class HelpSheet extends VBox {

    /// As high as each other.
    private static final List<List<String>> COLUMNS =
            List.of(List.of("Moving", "Lecturing"), List.of("Looking"), List.of("Finding", "Comparing", "Keeping"));

    HelpSheet() {
        setId("help-sheet");
        getStyleClass().add("card");
        setMaxSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
        Label title = new Label("Keys");
        title.getStyleClass().add("title");
        HBox columns = new HBox(28);
        COLUMNS.forEach(groups -> columns.getChildren().add(column(groups)));
        getChildren().addAll(title, columns);
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
        for (Command command : Command.values()) {
            if (command.group().equals(name)) {
                FlowPane keys = new FlowPane(4, 4);
                keys.setPrefWrapLength(96);
                keys.setMinWidth(96);
                keys.setMaxWidth(96);
                command.keys().stream()
                        .limit(1)
                        .forEach(key -> keys.getChildren().add(key(key)));
                Label what = new Label(command.title());
                what.setWrapText(true);
                what.setMaxWidth(200);
                grid.addRow(row++, keys, what);
            }
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
        return key;
    }
}
