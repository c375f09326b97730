package vitrine.visualizer.window;

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
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.Subject;
import vitrine.visualizer.view.Views;

/// The start page: every scenario with a picture of itself, drawn from its own run.
final class GalleryPage extends ScrollPane {

    private static final double WIDTH = 272;
    private static final double HEIGHT = 150;
    private static final double TALL = 282; // with the lines below the picture
    private static final double SMALL = 0.5;

    private final Desk desk;

    /// @param runs gives the run of a scenario, some time later
    /// @param open is told which scenario the reader chose
    GalleryPage(Desk desk, Runs runs, Consumer<String> open) {
        this.desk = desk;
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
        Label title = new Label(scenario.title());
        title.getStyleClass().add("heading");
        title.setWrapText(true);
        Label question = new Label(scenario.question());
        question.setWrapText(true);
        Label length = new Label(" ");
        length.getStyleClass().add("muted");
        VBox content = new VBox(6, picture, title, question, length);
        content.setAlignment(Pos.TOP_LEFT);
        Button tile = new Button(null, content);
        tile.setId("scenario-" + scenario.name());
        tile.setContentDisplay(ContentDisplay.GRAPHIC_ONLY);
        tile.getStyleClass().setAll("tile");
        tile.setAccessibleText(scenario.title() + ". " + scenario.question());
        tile.setMinSize(WIDTH + 26, TALL);
        tile.setMaxSize(WIDTH + 26, TALL);
        tile.setPrefSize(WIDTH + 26, TALL);
        tile.setOnAction(_ -> open.accept(scenario.name()));
        runs.get(
                scenario.name(),
                run -> {
                    length.setText(run.stories().size() + " requests, " + run.size() + " events");
                    Theme[] drawn = {null};
                    Runnable draw = () -> {
                        if (drawn[0] != desk.theme()) {
                            drawn[0] = desk.theme();
                            draw(run, picture);
                        }
                    };
                    draw.run();
                    desk.watch(draw);
                },
                length::setText);
        return tile;
    }

    /// The picture is the run itself, in the middle of what happens.
    private void draw(Run run, Canvas picture) {
        CanvasPainter painter = new CanvasPainter(picture.getGraphicsContext2D(), desk.theme(), SMALL);
        Session middle = Session.START.at(run.size() * 2 / 3);
        Views.ALL.getFirst().paint(Subject.of(run, middle, WIDTH / SMALL, HEIGHT / SMALL), painter);
    }
}
