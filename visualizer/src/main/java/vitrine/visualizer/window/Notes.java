package vitrine.visualizer.window;

import java.util.Optional;
import javafx.collections.ObservableList;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.control.TextArea;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.stage.Screen;
import javafx.stage.Stage;
import javafx.stage.Window;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Moment;

/// What only the lecturer sees, on another screen if there is one: what has just happened, what
/// comes next, what the run is to answer, and room for words of their own.
final class Notes extends Stage {

    private static final double WIDTH = 520;
    private static final double HEIGHT = 560;

    private final Desk desk;
    private final VBox page = new VBox();
    private final Label question = label("notes-question");
    private final Label now = label("notes-now");
    private final Label next = label("notes-next");
    private final Label where = label("notes-where");

    /// @param beside the window that the audience sees
    Notes(Desk desk, Window beside) {
        this.desk = desk;
        TextArea own = new TextArea();
        own.setId("notes-own");
        own.setPromptText("your own words");
        own.setAccessibleText("Notes of your own");
        own.setWrapText(true);
        VBox.setVgrow(own, Priority.ALWAYS);
        page.getStyleClass().add("notes");
        page.getStylesheets().add(MainPane.class.getResource("window.css").toExternalForm());
        page.getChildren()
                .addAll(heading("the question"), question, heading("now"), now, heading("next"), next, where, own);
        setTitle("Vitrine: notes");
        setScene(new Scene(page, WIDTH, HEIGHT));
        place(beside);
        desk.watch(this::tell);
        tell();
    }

    private static Label label(String id) {
        Label label = new Label();
        label.setId(id);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }

    private static Label heading(String text) {
        Label heading = new Label(text);
        heading.getStyleClass().add("muted");
        return heading;
    }

    private void place(Window beside) {
        ObservableList<Screen> shown =
                Screen.getScreensForRectangle(beside.getX(), beside.getY(), beside.getWidth(), beside.getHeight());
        Screen.getScreens().stream()
                .filter(screen -> !shown.contains(screen))
                .findFirst()
                .ifPresent(screen -> {
                    setX(screen.getVisualBounds().getMinX() + 40);
                    setY(screen.getVisualBounds().getMinY() + 40);
                });
    }

    private void tell() {
        Skin.put(desk.theme(), 1.2, page);
        Optional<Moment> moment = desk.moment();
        question.setText(desk.place()
                .shown()
                .flatMap(shown -> Gallery.find(shown.name()))
                .map(Scenario::question)
                .orElse("(a capture asks none)"));
        now.setText(moment.flatMap(Moment::event).map(Wording::sentence).orElse("Nothing has happened yet."));
        next.setText(moment.filter(at -> at.next() <= at.run().size())
                .map(at -> Wording.sentence(at.run().event(at.next() - 1)))
                .orElse("Nothing: this is the end."));
        where.setText(
                moment.map(at -> "step " + at.position() + " of " + at.run().size())
                        .orElse(""));
    }
}
