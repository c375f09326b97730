package vitrine.visualizer.window;

import java.nio.file.Path;
import java.util.Map;
import javafx.animation.PauseTransition;
import javafx.application.Application;
import javafx.application.ColorScheme;
import javafx.application.Platform;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.stage.Stage;
import javafx.util.Duration;
import vitrine.visualizer.paint.Theme;

/// The window as a program of JavaFX: its one argument is a link, or missing.
public final class Viewer extends Application {

    private static final double COMFORTABLE_WIDTH = 1440;
    private static final double COMFORTABLE_HEIGHT = 900;
    private static final Duration REHEARSAL = Duration.seconds(3);

    /// Shows the window.
    @Override
    public void start(Stage stage) {
        Map<String, String> named = getParameters().getNamed();
        boolean dark = Platform.getPreferences().getColorScheme() == ColorScheme.DARK;
        Theme theme = Theme.named(named.getOrDefault("theme", dark ? "dark" : "light"));
        String link = getParameters().getUnnamed().stream().findFirst().orElse("");
        Parent content =
                named.containsKey("socket") ? following(theme, Path.of(named.get("socket"))) : content(theme, link);
        stage.setTitle("Vitrine");
        stage.setMinWidth(MainPane.SMALLEST_WIDTH);
        stage.setMinHeight(MainPane.SMALLEST_HEIGHT);
        stage.setScene(new Scene(content, COMFORTABLE_WIDTH, COMFORTABLE_HEIGHT));
        stage.show();
        if (named.containsKey("rehearse")) {
            PauseTransition shown = new PauseTransition(REHEARSAL);
            shown.setOnFinished(_ -> Platform.exit());
            shown.play();
        }
    }

    /// What is in a window, for any scene. On the JavaFX thread only.
    ///
    /// @param link what is opened, as soon as it is there; empty for the start page
    public static Parent content(Theme theme, String link) {
        MainPane pane = pane(theme);
        if (!link.isEmpty()) {
            pane.deeds().open(link);
        }
        return pane;
    }

    /// The same, following a daemon that was started with `--capture-socket`.
    public static Parent following(Theme theme, Path socket) {
        MainPane pane = pane(theme);
        pane.deeds().live(socket);
        return pane;
    }

    private static MainPane pane(Theme theme) {
        Fonts.load();
        Desk desk = new Desk();
        desk.theme(theme);
        return new MainPane(desk);
    }
}
