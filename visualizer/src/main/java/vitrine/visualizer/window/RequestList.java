package vitrine.visualizer.window;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import javafx.geometry.Orientation;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.Canvas;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.ScrollBar;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// All requests, a line each, drawn on a canvas: a hundred thousand cost no more than twenty.
final class RequestList extends Region {

    private static final double ROW = 24;
    private static final double NUMBER = 46;
    private static final Type NAME = Type.plain(13);
    private static final Type SMALL = Type.mono(11);

    private final Desk desk;
    private final Matches matches;
    private final Canvas canvas = new Canvas();
    private final ScrollBar bar = new ScrollBar();
    private int[] shown = {};
    private Run filtered; // what `shown` was found for
    private BitSet passed; // and for which filter; null for none
    private int current = -1; // where in `shown` is what is looked at; below 0 as by binarySearch

    RequestList(Desk desk, Matches matches) {
        this.desk = desk;
        this.matches = matches;
        setId("requests");
        getStyleClass().add("view-pane");
        bar.setOrientation(Orientation.VERTICAL);
        bar.valueProperty().addListener(_ -> requestLayout());
        getChildren().addAll(canvas, bar);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.LIST_VIEW);
        canvas.setMouseTransparent(true);
        setOnScroll(
                event -> bar.setValue(Math.clamp(bar.getValue() - event.getDeltaY() / rowHeight(), 0, bar.getMax())));
        setOnMouseClicked(this::click);
        addEventHandler(KeyEvent.KEY_PRESSED, this::walk);
        focusedProperty().addListener(_ -> requestLayout());
        focusVisibleProperty().addListener(_ -> requestLayout());
        desk.watch(this::follow);
        heightProperty().addListener(_ -> {
            current = -1; // what is looked at may be out of sight now
            follow();
        });
    }

    /// What can be done with a request, by its id.
    void offer(Function<String, ContextMenu> menu) {
        setOnContextMenuRequested(event -> {
            int row = event.isKeyboardTrigger() ? current : (int) bar.getValue() + (int) (event.getY() / rowHeight());
            String part = row >= 0 && row < shown.length ? "request-" + (shown[row] + 1) : "";
            PartMenu.show(menu, part, this, event);
        });
    }

    private double rowHeight() {
        return ROW * desk.scale();
    }

    /// What is looked at stays in sight.
    private void follow() {
        int before = current;
        filter();
        int number = desk.run()
                .flatMap(run -> desk.session().story(run))
                .map(Story::number)
                .orElse(-1);
        current = Arrays.binarySearch(shown, number);
        double rows = Math.max(1, Math.floor(getHeight() / rowHeight()));
        bar.setMax(Math.max(0, shown.length - rows));
        bar.setVisibleAmount(shown.length == 0 ? 1 : Math.min(1, rows / shown.length) * Math.max(1, bar.getMax()));
        if (current >= 0 && current != before) {
            double first = Math.clamp(bar.getValue(), Math.max(0, current - rows + 1), current);
            bar.setValue(Math.min(first, bar.getMax()));
        }
        setAccessibleText(shown.length + " requests" + (current < 0 ? "" : ", at " + sentence(shown[current])));
        requestLayout();
    }

    /// The requests that are shown, found anew when the run or the filter is another.
    private void filter() {
        Run run = desk.run().orElse(null);
        BitSet let = matches.stories().orElse(null);
        if (run != filtered || let != passed) {
            filtered = run;
            passed = let;
            int all = run == null ? 0 : run.stories().size();
            shown = let == null
                    ? IntStream.range(0, all).toArray()
                    : let.stream().filter(number -> number < all).toArray();
        }
    }

    private String sentence(int number) {
        Story story = desk.run().orElseThrow().stories().get(number);
        return "request " + (number + 1) + ", " + name(story) + (story.error() == 0 ? "" : ", failed");
    }

    private static String name(Story story) {
        return story.isRequest() ? story.opcode() : "(no request)";
    }

    @Override
    protected double computePrefWidth(double height) {
        return 190;
    }

    @Override
    protected void layoutChildren() {
        double width = bar.getMax() > 0 ? bar.prefWidth(-1) : 0;
        bar.resizeRelocate(getWidth() - width, 0, width, getHeight());
        canvas.setWidth(Math.max(0, Math.floor(getWidth() - width)));
        canvas.setHeight(Math.floor(getHeight()));
        bar.setVisible(bar.getMax() > 0);
        if (desk.run().isEmpty() || canvas.getWidth() < 1) {
            return;
        }
        CanvasPainter painter = new CanvasPainter(canvas.getGraphicsContext2D(), desk.theme(), desk.scale());
        double room = canvas.getWidth() / desk.scale();
        int first = (int) bar.getValue();
        for (int i = first; i < shown.length && (i - first) * rowHeight() < getHeight(); i++) {
            row(i, new Box(0, (i - first) * ROW, room, ROW), painter);
        }
        if (isFocusVisible()) {
            painter.focus(new Box(0, 0, room, canvas.getHeight() / desk.scale()));
        }
        if (shown.length == 0) {
            Lettering.paragraph(
                    new Box(12, 12, room - 24, 100), "No request is like that.", NAME, Token.MUTED, painter);
        }
    }

    private void row(int i, Box box, Painter painter) {
        Story story = desk.run().orElseThrow().stories().get(shown[i]);
        boolean isPast = story.begin() < desk.session().position();
        if (i == current) {
            painter.rect(box, Fill.of(Token.PANEL));
            painter.rect(box.left(3), Fill.of(Token.ACCENT));
        }
        if (i == current && isFocused()) {
            painter.rect(box.inset(1), Fill.edge(Token.ACCENT).rounded(3));
        }
        Lettering.in(box.left(NUMBER - 8), "" + (shown[i] + 1), SMALL.toTheRight(), Token.MUTED, painter);
        Token token = story.error() != 0 ? Token.ERROR : isPast ? Token.TEXT : Token.FAINT;
        Box name = box.rightOf(NUMBER).inset(4, 0);
        boolean failed = story.error() != 0;
        Type type = i == current ? NAME.heavy() : NAME;
        Lettering.in(failed ? name.left(name.width() - 14) : name, name(story), type, token, painter);
        if (failed) {
            Lettering.in(name, "✕", SMALL.toTheRight(), Token.ERROR, painter);
        }
    }

    private void click(MouseEvent event) {
        requestFocus();
        choose((int) bar.getValue() + (int) (event.getY() / rowHeight()));
    }

    private void walk(KeyEvent event) {
        int by = event.getCode() == KeyCode.DOWN ? 1 : event.getCode() == KeyCode.UP ? -1 : 0;
        if (by != 0) {
            int beside = current >= 0 ? current + by : -current - (by > 0 ? 1 : 2); // it is not in the list
            choose(beside);
            event.consume();
        }
    }

    private void choose(int row) {
        if (row >= 0 && row < shown.length) {
            int number = shown[row];
            int begin = desk.run().orElseThrow().stories().get(number).begin();
            desk.session(now -> now.at(begin + 1).select("request-" + (number + 1)));
        }
    }
}
