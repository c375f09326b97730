package vitrine.visualizer.window;

import java.util.function.Consumer;
import javafx.animation.PauseTransition;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.util.Duration;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/// The row of buttons on top.
final class Toolbar extends HBox {

    private static final PseudoClass WRONG = PseudoClass.getPseudoClass("wrong");

    private final Consumer<Command> perform;
    private final Button play;
    private final TextField filter = new TextField();

    /// @param question is told what the reader filters by
    Toolbar(Player player, Consumer<Command> perform, Consumer<String> question) {
        this.perform = perform;
        setId("toolbar");
        getStyleClass().add("bar");
        setAlignment(Pos.CENTER_LEFT);
        play = button(Feather.PLAY, Command.PLAY);
        player.playing()
                .addListener((_, _, playing) -> play.setGraphic(new FontIcon(playing ? Feather.PAUSE : Feather.PLAY)));
        prepareFilter(question);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        getChildren()
                .addAll(
                        button(Feather.GRID, Command.GALLERY),
                        gap(),
                        button(Feather.SKIP_BACK, Command.TO_START),
                        button(Feather.CHEVRON_LEFT, Command.STEP_BACK),
                        play,
                        button(Feather.CHEVRON_RIGHT, Command.STEP),
                        button(Feather.SKIP_FORWARD, Command.TO_END),
                        speed(player),
                        gap(),
                        filter,
                        gap(),
                        button(Feather.ROTATE_CCW, Command.UNDO),
                        button(Feather.GIT_BRANCH, Command.FORK),
                        button(Feather.COLUMNS, Command.COMPARE),
                        space,
                        button(Feather.SEARCH, Command.PALETTE),
                        button(Feather.LINK, Command.COPY_LINK),
                        button(Feather.DOWNLOAD, Command.EXPORT),
                        button(Feather.MONITOR, Command.LECTURE),
                        button(Feather.MOON, Command.THEME),
                        button(Feather.HELP_CIRCLE, Command.HELP));
    }

    /// Whoever stops typing has asked, and who presses Enter need not wait.
    private void prepareFilter(Consumer<String> question) {
        filter.setId("filter");
        filter.setPromptText("filter: op == WRITE && size > 4096");
        filter.setAccessibleText("Filter of requests");
        filter.setPrefColumnCount(22);
        filter.setMinWidth(120);
        PauseTransition typing = new PauseTransition(Duration.millis(350));
        typing.setOnFinished(_ -> question.accept(filter.getText().strip()));
        filter.setOnAction(_ -> question.accept(filter.getText().strip()));
        filter.textProperty().addListener(_ -> {
            if (filter.isFocused()) {
                typing.playFromStart();
            }
        });
        HBox.setHgrow(filter, Priority.SOMETIMES);
    }

    TextField filter() {
        return filter;
    }

    /// Shows the filter that counts, and what is wrong with it.
    void filter(String question, String problem) {
        if (!filter.isFocused() && !filter.getText().equals(question)) {
            filter.setText(question);
        }
        filter.pseudoClassStateChanged(WRONG, !problem.isEmpty());
        filter.setTooltip(new Tooltip(problem.isEmpty() ? "Only requests that are like this  (/)" : problem));
        filter.setAccessibleText("Filter of requests" + (problem.isEmpty() ? "" : ", wrong: " + problem));
    }

    private static Node gap() {
        Region gap = new Region();
        gap.setMinWidth(8);
        return gap;
    }

    private Node speed(Player player) {
        Slider slider = new Slider(0, Player.SPEEDS.length - 1.0, player.speed());
        slider.setId("speed");
        slider.setPrefWidth(80);
        slider.setMinWidth(60);
        slider.setSnapToTicks(true);
        slider.setMajorTickUnit(1);
        slider.setMinorTickCount(0);
        slider.setBlockIncrement(1);
        slider.setFocusTraversable(true);
        slider.setAccessibleText("Speed");
        Label label = new Label();
        label.getStyleClass().add("muted");
        label.setMinWidth(38);
        slider.valueProperty().addListener((_, _, value) -> {
            player.speed((int) Math.round(value.doubleValue()));
            label.setText(shown(player));
        });
        label.setText(shown(player));
        slider.setTooltip(new Tooltip("Steps a second while playing"));
        HBox box = new HBox(4, slider, label);
        box.setAlignment(Pos.CENTER_LEFT);
        return box;
    }

    private static String shown(Player player) {
        double speed = Player.SPEEDS[player.speed()];
        return (speed < 1 ? String.valueOf(speed) : String.valueOf((int) speed)) + "/s";
    }

    private Button button(Feather icon, Command command) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(command.name().toLowerCase().replace('_', '-'));
        button.getStyleClass().addAll("button-icon", "flat");
        String title = Character.toUpperCase(command.title().charAt(0))
                + command.title().substring(1);
        button.setAccessibleText(title);
        button.setTooltip(new Tooltip(title + "  (" + command.keys().getFirst().replace("Shortcut", "Ctrl") + ")"));
        button.setOnAction(_ -> perform.accept(command));
        button.setMinWidth(Region.USE_PREF_SIZE);
        return button;
    }
}
