package vitrine.visualizer.window;

import java.util.OptionalInt;
import java.util.function.Consumer;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.canvas.Canvas;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.VBox;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.Views;

/// The start page: every scenario with a picture of itself, drawn from its own run.
final class GalleryPage extends ScrollPane {

    private static final double WIDTH = 272;
    private static final double HEIGHT = 150;
    private static final double TALL = 308; // with the lines below the picture
    private static final double SMALL = 0.39;

    private final Desk desk;
    private final Seen seen;

    /// @param runs gives the run of a scenario, some time later
    /// @param open is told which scenario the reader chose
    GalleryPage(Desk desk, Runs runs, Seen seen, Consumer<String> open) {
        this.desk = desk;
        this.seen = seen;
        setId("gallery");
        setFitToWidth(true);
        setHbarPolicy(ScrollBarPolicy.NEVER);
        FlowPane tiles = new FlowPane(16, 16);
        for (Scenario scenario : Gallery.ALL) {
            tiles.getChildren().add(tile(scenario, runs, open));
        }
        Label title = new Label("Watch a request cross five borders");
        title.getStyleClass().add("title");
        Label hint =
                new Label("Choose a run. Each was made just now, in the simulated guest: the same on every machine."
                        + "  Ctrl+O opens a capture of a daemon of yours, Ctrl+K finds anything, ? lists the keys.");
        hint.getStyleClass().add("muted");
        hint.setWrapText(true);
        VBox page = new VBox(title, hint, tiles);
        page.getStyleClass().add("gallery");
        setContent(page);
    }

    private Node tile(Scenario scenario, Runs runs, Consumer<String> open) {
        Canvas picture = new Canvas(WIDTH, HEIGHT);
        Label length = label(" ", "muted");
        Label last = label("", "last-seen");
        VBox content = new VBox(
                4,
                picture,
                label(scenario.title(), "heading"),
                label(scenario.question(), "question"),
                label(Gallery.level(scenario), "muted"),
                length,
                last);
        content.setAlignment(Pos.TOP_LEFT);
        Button tile = new Button(null, content);
        tile.setId("scenario-" + scenario.name());
        tile.setContentDisplay(ContentDisplay.GRAPHIC_ONLY);
        tile.getStyleClass().setAll("tile");
        tile.setMinSize(WIDTH + 26, TALL);
        tile.setMaxSize(WIDTH + 26, TALL);
        tile.setPrefSize(WIDTH + 26, TALL);
        tile.setOnAction(_ -> open.accept(scenario.name()));
        remember(scenario, tile, last);
        runs.getLater(scenario.name(), run -> show(scenario, run, length, picture), length::setText);
        return tile;
    }

    private static Label label(String text, String style) {
        Label label = new Label(text);
        label.getStyleClass().add(style);
        label.setWrapText(true);
        return label;
    }

    /// Says at which step the reader was last.
    private void remember(Scenario scenario, Button tile, Label last) {
        Runnable tell = () -> {
            OptionalInt step = seen.step(scenario.name());
            last.setText(step.isEmpty() ? "" : "last seen at step " + step.getAsInt());
            tile.setAccessibleText(scenario.title() + ". " + scenario.question() + " " + Gallery.level(scenario) + ". "
                    + last.getText());
        };
        tell.run();
        desk.watch(tell);
    }

    private void show(Scenario scenario, Run run, Label length, Canvas picture) {
        length.setText(run.costs().requests() + " requests, " + run.size() + " events, "
                + Wording.time(run.end() - run.begin()));
        Theme[] drawn = {null};
        Runnable draw = () -> {
            if (drawn[0] != desk.theme()) {
                drawn[0] = desk.theme();
                draw(scenario, run, picture);
            }
        };
        draw.run();
        desk.watch(draw);
    }

    /// The picture is the run itself, in the middle of what happens.
    private void draw(Scenario scenario, Run run, Canvas picture) {
        CanvasPainter painter = new CanvasPainter(picture.getGraphicsContext2D(), desk.theme(), SMALL);
        Session middle = Session.START.at(run.size() * 2 / 3);
        Views.named(view(scenario)).paint(Subject.of(run, middle, WIDTH / SMALL, HEIGHT / SMALL), painter);
    }

    /// Through which view a run is best seen.
    private static String view(Scenario scenario) {
        return switch (scenario.name().replaceFirst("-.*", "")) {
            case "ring" -> "rings";
            case "window" -> "dax";
            case "append" -> "crash";
            case "deep" -> "caches";
            default -> "path";
        };
    }
}
