package vitrine.visualizer.window;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javafx.animation.PauseTransition;
import javafx.geometry.Point2D;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.Canvas;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Tooltip;
import javafx.scene.input.ContextMenuEvent;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.layout.Region;
import javafx.util.Duration;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;

/// A view on a canvas: it is drawn when something has changed, and its parts can be clicked,
/// pointed at, and walked along with the keyboard.
class ViewPane extends Region {

    private static final int PAGE = 5; // rows

    private final Desk desk;
    private final Supplier<View> view;
    private final Canvas canvas = new Canvas();
    private final Tooltip tooltip = new Tooltip();
    private final PauseTransition again = new PauseTransition(Duration.millis(150));
    private Consumer<String> says = _ -> {};
    private final Map<String, Runnable> deeds = new HashMap<>(); // of parts that do something
    private List<Part> parts; // of the picture that is shown; null until somebody asks
    private String walkedTo = "";
    private final Pan pan = new Pan(this::requestLayout);
    private int scroll; // by how many rows the reader has moved on
    private Place scrolledAt = Place.START_PAGE;

    ViewPane(Desk desk, String id, Supplier<View> view) {
        this.desk = desk;
        this.view = view;
        setAccessibleText(view.get().title()); // before anything is drawn
        setId(id);
        getStyleClass().add("view-pane");
        getChildren().add(canvas);
        getChildren().addAll(pan.bars());
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(0, 0);
        canvas.setMouseTransparent(true);
        tooltip.setWrapText(true);
        tooltip.setMaxWidth(420);
        setOnMouseMoved(this::point);
        setOnMouseExited(_ -> Tooltip.uninstall(this, tooltip));
        setOnMouseClicked(this::click);
        setOnScroll(this::wheel);
        addEventHandler(MouseEvent.MOUSE_PRESSED, this::slide);
        addEventHandler(MouseEvent.MOUSE_DRAGGED, this::slide);
        addEventHandler(KeyEvent.KEY_PRESSED, this::walk);
        focusedProperty().addListener(_ -> requestLayout());
        focusVisibleProperty().addListener(_ -> requestLayout());
        desk.watch(this::requestLayout);
    }

    void offer(Function<String, ContextMenu> menu) {
        setOnContextMenuRequested(event -> PartMenu.show(menu, chosenBy(event), this, event));
    }

    private String chosenBy(ContextMenuEvent event) {
        return event.isKeyboardTrigger()
                ? walkedTo
                : partAt(event.getX(), event.getY()).map(Part::id).orElse("");
    }

    /// What happens when this part is chosen.
    void does(String part, Runnable deed) {
        deeds.put(part, deed);
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
        if (!scrolledAt.equals(desk.place())) {
            scrolledAt = desk.place();
            scroll = 0; // what matters is in sight again
        }
        Subject subject = subject();
        pan.fit(subject, this, desk.scale());
        CanvasPainter painter = new CanvasPainter(canvas.getGraphicsContext2D(), desk.theme(), desk.scale());
        painter.move(-pan.x(), -pan.y());
        View shown = view.get();
        if (!isReady()) {
            patience(shown, painter);
            return;
        }
        shown.paint(subject, painter);
        if (desk.spotlight()) {
            lit().ifPresent(box -> painter.spotlight(box.inset(-6), withoutCaption(subject)));
        }
        if (isFocusVisible() && !subject.manner().lecture()) {
            painter.focus(
                    new Box(pan.x(), pan.y(), canvas.getWidth() / desk.scale(), canvas.getHeight() / desk.scale()));
        }
        if (isFocused()) {
            part(walkedTo)
                    .ifPresent(part -> painter.rect(
                            part.box().inset(-1),
                            Fill.edge(Token.ACCENT).edged(Token.ACCENT, 2).rounded(4)));
        }
        String walked = part(walkedTo).map(part -> ". " + part.says()).orElse("");
        setAccessibleText(shown.title() + walked);
    }

    /// What is drawn here, which may be larger than this pane. There must be a run.
    Subject subject() {
        Subject subject = desk.subject(Math.floor(getWidth()), Math.floor(getHeight()), scroll);
        Box least = view.get().least();
        return subject.within(Math.max(subject.width(), least.width()), Math.max(subject.height(), least.height()));
    }

    /// What the light falls on: the selected part, else the one that was walked to, else what has
    /// just happened.
    private Optional<Box> lit() {
        return Stream.of(
                        desk.session().selection(),
                        walkedTo,
                        "event-" + (desk.session().position() - 1))
                .flatMap(id -> part(id).stream())
                .map(Part::box)
                .findFirst();
    }

    /// The sentence stays in the light, too.
    private Box withoutCaption(Subject subject) {
        Box area = subject.area();
        double height = part("caption").map(part -> part.box().height()).orElse(0.0);
        return subject.manner().lecture() ? area.below(height) : area.top(area.height() - height);
    }

    private void wheel(ScrollEvent event) {
        if (!pan.wheel(event.getDeltaY() / desk.scale())) {
            scroll(event.getDeltaY() > 0 ? -1 : 1);
        }
        event.consume();
    }

    /// Moves on by some rows, if there are more.
    void scroll(int rows) {
        if (parts().stream().anyMatch(part -> Rows.isMore(part, rows))) {
            scroll += rows;
            requestLayout();
        }
    }

    /// A point of this pane as a point of the picture.
    Point2D inPicture(double x, double y) {
        return new Point2D(x / desk.scale() + pan.x(), y / desk.scale() + pan.y());
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
        again.setOnFinished(_ -> requestLayout());
        again.playFromStart();
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
        Point2D point = inPicture(x, y);
        return parts().reversed().stream()
                .filter(part -> part.box().contains(point.getX(), point.getY()))
                .findFirst();
    }

    /// The middle of a part, on the screen.
    Optional<Point2D> onScreen(String id) {
        return part(id).map(part -> localToScreen(
                (part.box().middleX() - pan.x()) * desk.scale(), (part.box().middleY() - pan.y()) * desk.scale()));
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

    /// Where the picture has a slider: to the moment under the mouse.
    private void slide(MouseEvent event) {
        if (event.getButton() == MouseButton.PRIMARY && desk.run().isPresent()) {
            Point2D point = inPicture(event.getX(), event.getY());
            view.get()
                    .moment(subject(), point.getX(), point.getY())
                    .ifPresent(position ->
                            desk.glide(desk.place().with(desk.session().at(position))));
        }
    }

    private void click(MouseEvent event) {
        requestFocus();
        if (event.getButton() != MouseButton.PRIMARY) {
            return;
        }
        Optional<Part> part = partAt(event.getX(), event.getY());
        if (part.isPresent() && (Rows.isMore(part.get(), 1) || Rows.isMore(part.get(), -1))) {
            scroll(Rows.isMore(part.get(), 1) ? PAGE : -PAGE);
            return;
        }
        walkedTo = part.map(Part::id).orElse("");
        choose(walkedTo, event.getClickCount() > 1);
    }

    /// Selects a part; twice, and an event becomes the present one.
    private void choose(String id, boolean andGoThere) {
        if (deeds.containsKey(id)) {
            deeds.get(id).run();
            return;
        }
        desk.session(now -> now.select(id));
        if (andGoThere && id.startsWith("event-")) {
            desk.toAnchor("step-" + (Integer.parseInt(id.substring(6)) + 1));
        }
    }

    private void walk(KeyEvent event) {
        int by = event.getCode() == KeyCode.DOWN ? 1 : event.getCode() == KeyCode.UP ? -1 : 0;
        if (by != 0 && !event.isShortcutDown() && !parts().isEmpty()) {
            List<String> names = parts().stream().map(Part::id).distinct().toList(); // a field has many bytes
            int now = names.contains(walkedTo) ? names.indexOf(walkedTo) : by > 0 ? -1 : 0;
            Part next = part(names.get(Math.floorMod(now + by, names.size()))).orElseThrow();
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
