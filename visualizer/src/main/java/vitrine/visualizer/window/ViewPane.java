package vitrine.visualizer.window;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.animation.PauseTransition;
import javafx.geometry.Point2D;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.Canvas;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import javafx.util.Duration;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.view.Subject;
import vitrine.visualizer.view.View;

/// A view on a canvas: it is drawn when something has changed, and its parts can be clicked,
/// pointed at, and walked along with the keyboard.
class ViewPane extends Region {

    private final Desk desk;
    private final Supplier<View> view;
    private final Canvas canvas = new Canvas();
    private final Tooltip tooltip = new Tooltip();
    private Consumer<String> says = _ -> {};
    private List<Part> parts; // of the picture that is shown; null until somebody asks
    private String walkedTo = "";
    private int scroll; // by how many rows the reader has moved on

    ViewPane(Desk desk, String id, Supplier<View> view) {
        this.desk = desk;
        this.view = view;
        setAccessibleText(view.get().title()); // before anything is drawn
        setId(id);
        getStyleClass().add("view-pane");
        getChildren().add(canvas);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(0, 0);
        canvas.setMouseTransparent(true);
        tooltip.setWrapText(true);
        tooltip.setMaxWidth(420);
        setOnMouseMoved(this::point);
        setOnMouseExited(_ -> Tooltip.uninstall(this, tooltip));
        setOnMouseClicked(this::click);
        addEventHandler(KeyEvent.KEY_PRESSED, this::walk);
        focusedProperty().addListener(_ -> requestLayout());
        desk.watch(this::requestLayout);
    }

    /// Who is told what the part says that was walked to.
    void tell(Consumer<String> listener) {
        says = listener;
    }

    @Override
    protected double computePrefWidth(double height) {
        return 100;
    }

    @Override
    protected double computePrefHeight(double width) {
        return 100;
    }

    @Override
    protected void layoutChildren() {
        parts = null;
        canvas.setWidth(Math.floor(getWidth()));
        canvas.setHeight(Math.floor(getHeight()));
        if (desk.run().isEmpty() || canvas.getWidth() < 1 || canvas.getHeight() < 1) {
            return;
        }
        CanvasPainter painter = new CanvasPainter(canvas.getGraphicsContext2D(), desk.theme(), desk.scale());
        View shown = view.get();
        if (!isReady()) {
            patience(shown, painter);
            return;
        }
        shown.paint(subject(), painter);
        if (isFocused()) {
            part(walkedTo).ifPresent(part -> frame(part.box(), painter));
        }
        setAccessibleText(
                shown.title() + part(walkedTo).map(part -> ". " + part.says()).orElse(""));
    }

    /// What is drawn here. There must be a run.
    Subject subject() {
        return desk.subject(Math.floor(getWidth()), Math.floor(getHeight()), scroll);
    }

    private boolean isReady() {
        return !view.get().folds()
                || desk.run().map(run -> run.isNear(desk.session().position())).orElse(true);
    }

    /// Whoever has jumped far into a long run hears that it takes a moment, and sees the view then.
    private void patience(View shown, CanvasPainter painter) {
        String sentence = "Going through what happened before, for " + shown.title() + "…";
        painter.text(sentence, 24, 40, Type.plain(14), Token.MUTED);
        setAccessibleText(sentence);
        PauseTransition again = new PauseTransition(Duration.millis(150));
        again.setOnFinished(_ -> requestLayout());
        again.play();
    }

    private static void frame(Box box, CanvasPainter painter) {
        painter.rect(
                box.inset(-1), Fill.edge(Token.ACCENT).edged(Token.ACCENT, 2).rounded(4));
    }

    /// The named parts of what is shown, in the order of the drawing.
    List<Part> parts() {
        if (parts == null) {
            parts = desk.run().isEmpty() || !isReady() ? List.of() : view.get().parts(subject());
        }
        return parts;
    }

    private Optional<Part> part(String id) {
        return id.isEmpty()
                ? Optional.empty()
                : parts().stream().filter(part -> part.id().equals(id)).findFirst();
    }

    /// The part at a point of this pane: the one on top, which was drawn last.
    Optional<Part> partAt(double x, double y) {
        return parts().reversed().stream()
                .filter(part -> part.box().contains(x / desk.scale(), y / desk.scale()))
                .findFirst();
    }

    /// The middle of a part, on the screen.
    Optional<Point2D> onScreen(String id) {
        return part(id).map(part ->
                localToScreen(part.box().middleX() * desk.scale(), part.box().middleY() * desk.scale()));
    }

    private void point(MouseEvent event) {
        Optional<Part> part = partAt(event.getX(), event.getY());
        if (part.isEmpty()) {
            Tooltip.uninstall(this, tooltip);
        } else if (!part.get().says().equals(tooltip.getText())) {
            tooltip.setText(part.get().says());
            Tooltip.install(this, tooltip);
        }
    }

    private void click(MouseEvent event) {
        requestFocus();
        if (event.getButton() != MouseButton.PRIMARY) {
            return;
        }
        Optional<Part> part = partAt(event.getX(), event.getY());
        walkedTo = part.map(Part::id).orElse("");
        choose(walkedTo, event.getClickCount() > 1);
    }

    /// Selects a part; twice, and an event becomes the present one.
    private void choose(String id, boolean andGoThere) {
        desk.session(now -> now.select(id));
        if (andGoThere && id.startsWith("event-")) {
            desk.toAnchor("step-" + (Integer.parseInt(id.substring(6)) + 1));
        }
    }

    private void walk(KeyEvent event) {
        int by = event.getCode() == KeyCode.DOWN ? 1 : event.getCode() == KeyCode.UP ? -1 : 0;
        if (by != 0 && !parts().isEmpty()) {
            int now = part(walkedTo).map(parts()::indexOf).orElse(by > 0 ? -1 : 0);
            Part next = parts().get(Math.floorMod(now + by, parts().size()));
            walkedTo = next.id();
            says.accept(next.says());
            requestLayout();
            event.consume();
        } else if (event.getCode() == KeyCode.ENTER && !walkedTo.isEmpty()) {
            choose(walkedTo, event.isShiftDown());
            event.consume();
        }
    }
}
