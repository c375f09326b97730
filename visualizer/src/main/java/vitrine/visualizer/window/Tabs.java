package vitrine.visualizer.window;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Region;
import vitrine.visualizer.sheet.View;

/// A button for each view; where letters are large, in several lines.
final class Tabs extends FlowPane {

    private final Map<String, ToggleButton> buttons = new LinkedHashMap<>();

    Tabs(Desk desk, List<View> views) {
        setId("tabs");
        getStyleClass().add("tabs");
        setAlignment(Pos.CENTER_LEFT);
        for (View view : views) {
            ToggleButton button = new ToggleButton(view.title());
            button.setId("tab-" + view.name());
            button.getStyleClass().setAll("tab-button");
            button.setAccessibleRole(AccessibleRole.TAB_ITEM);
            button.setAccessibleText("View " + view.title());
            button.setMinWidth(Region.USE_PREF_SIZE);
            button.setOnAction(_ -> {
                button.setSelected(true);
                desk.to(desk.place().looking(view.name()));
            });
            buttons.put(view.name(), button);
            getChildren().add(button);
        }
        desk.watch(() -> buttons.forEach(
                (name, button) -> button.setSelected(name.equals(desk.place().view()))));
    }
}
