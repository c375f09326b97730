package vitrine.visualizer.window;

import java.util.List;
import java.util.Optional;
import javafx.geometry.Orientation;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import javafx.scene.control.SplitPane;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Moment;
import vitrine.visualizer.timeline.Story;
import vitrine.visualizer.view.DecisionView;
import vitrine.visualizer.view.TimelineView;
import vitrine.visualizer.view.Views;

/// The whole window, put together: controls on top, the requests on the left, a view in the middle,
/// bytes and fields on the right, the time line below, and one line that says where we are.
final class MainPane extends StackPane {

    /// The smallest window in which everything has room.
    static final double SMALLEST_WIDTH = 960;

    static final double SMALLEST_HEIGHT = 700;

    private static final double STRIP = 152;
    private static final double LIST = 120;

    /// These have a place of their own; the others are tabs.
    private static final List<String> DOCKED = List.of("timeline", "inspector");

    private final Desk desk;
    private final Player player;
    private final Overlay overlay;
    private final Deeds deeds;
    private final Matches matches;
    private final Toolbar toolbar;
    private final BorderPane reading = new BorderPane();
    private final GalleryPage gallery;
    private final Label status = new Label();
    private final Slider position = new Slider();
    private final ViewPane view;
    private final Node tabs;
    private final RequestList left;
    private final ViewPane right;
    private final Node below;
    private final SplitPane middle = new SplitPane();
    private boolean lecture;

    MainPane(Desk desk) {
        this.desk = desk;
        this.player = new Player(desk);
        setId("main");
        getStylesheets().add(MainPane.class.getResource("window.css").toExternalForm());
        matches = new Matches(desk);
        view = new ViewPane(desk, "view", () -> Views.named(desk.place().view()));
        view.tell(status::setText);
        tabs = new Tabs(desk, tabbed());
        left = new RequestList(desk, matches);
        right = new ViewPane(desk, "inspector", () -> Views.named("inspector"));
        BorderPane frame = new BorderPane();
        overlay = new Overlay(frame);
        Runs runs = new Runs(overlay::say);
        Seen seen = new Seen(Seen.usualFile());
        desk.leaving(place -> place.shown()
                .filter(shown -> Gallery.find(shown.name()).isPresent())
                .ifPresent(shown -> seen.at(shown.name(), place.session().position())));
        deeds = new Deeds(desk, player, runs, overlay, this);
        toolbar = new Toolbar(player, deeds::perform, text -> desk.session(now -> now.filter(text)));
        gallery = new GalleryPage(desk, runs, seen, deeds::openCard);
        view.offer(deeds::menu);
        view.does(DecisionView.WHAT_IF, () -> deeds.perform(Command.FORK));
        right.offer(deeds::menu);
        left.offer(deeds::menu);
        below = below();
        VBox.setVgrow(view, Priority.ALWAYS);
        arrange();
        frame.setTop(toolbar);
        frame.setCenter(new StackPane(reading, gallery));
        getChildren().add(overlay);
        addEventFilter(KeyEvent.KEY_PRESSED, this::key);
        addEventFilter(KeyEvent.KEY_TYPED, this::key);
        desk.watch(this::show);
        show();
    }

    /// The views that have a tab, in the order of their keys.
    static List<View> tabbed() {
        return Views.ALL.stream().filter(each -> !DOCKED.contains(each.name())).toList();
    }

    private Node below() {
        TimelineStrip strip = new TimelineStrip(desk, (TimelineView) Views.named("timeline"));
        strip.offer(deeds::menu);
        strip.setMinHeight(STRIP);
        strip.setPrefHeight(STRIP);
        position.setId("position");
        position.setAccessibleText("Position in the run");
        position.setBlockIncrement(1);
        position.valueProperty().addListener((_, _, value) -> {
            if (position.isValueChanging() || position.isPressed()) {
                desk.go((int) Math.round(value.doubleValue()));
            }
        });
        HBox.setHgrow(position, Priority.ALWAYS);
        status.setId("status");
        status.setMinWidth(0);
        status.setWrapText(true);
        status.setMinHeight(Region.USE_PREF_SIZE);
        status.setFocusTraversable(false);
        HBox line = new HBox(status, position);
        line.setAlignment(Pos.CENTER_LEFT);
        line.getStyleClass().add("status");
        status.prefWidthProperty().bind(line.widthProperty().multiply(0.6));
        VBox box = new VBox(strip, line);
        box.getStyleClass().add("strip");
        return box;
    }

    /// In a lecture there is one view and nothing else.
    private void arrange() {
        reading.setCenter(null);
        middle.getItems().clear();
        if (lecture) {
            reading.setCenter(view);
            reading.setBottom(null);
            toolbar.setVisible(false);
            toolbar.setManaged(false);
            return;
        }
        toolbar.setVisible(true);
        toolbar.setManaged(true);
        middle.setOrientation(Orientation.HORIZONTAL);
        VBox centre = new VBox(tabs, view);
        centre.setMinWidth(300);
        middle.getItems().add(left);
        middle.getItems().add(centre);
        SplitPane.setResizableWithParent(left, false);
        right.setMinWidth(200);
        middle.getItems().add(right);
        SplitPane.setResizableWithParent(right, false);
        middle.setDividerPositions(0.15, 0.72);
        reading.setCenter(middle);
        reading.setBottom(below);
    }

    /// One view and nothing else, or all of it.
    void lecture(boolean on) {
        lecture = on;
        arrange();
    }

    Toolbar toolbar() {
        return toolbar;
    }

    Matches matches() {
        return matches;
    }

    ViewPane view() {
        return view;
    }

    Deeds deeds() {
        return deeds;
    }

    private void key(KeyEvent event) {
        boolean isTyping = event.getTarget() instanceof TextInputControl;
        Optional<Command> command = Command.of(event)
                .filter(found -> !isTyping || found == Command.CLOSE || event.isShortcutDown())
                .filter(found -> !overlay.isOpen() || found == Command.CLOSE);
        command.ifPresent(found -> {
            deeds.perform(found);
            event.consume();
        });
    }

    private void show() {
        boolean isOpen = desk.run().isPresent();
        gallery.setVisible(!isOpen);
        reading.setVisible(isOpen);
        Skin.put(desk.theme(), desk.scale(), this);
        left.setMinWidth(Math.min(LIST * desk.scale(), 2 * LIST));
        toolbar.filter(desk.session().filter(), matches.problem());
        desk.moment().ifPresent(moment -> {
            status.setText(sentence(moment));
            status.setAccessibleText(status.getText());
            position.setMax(moment.run().size());
            if (!position.isValueChanging()) {
                position.setValue(moment.position());
            }
        });
    }

    /// Where we are, in one line.
    private String sentence(Moment moment) {
        StringBuilder line = new StringBuilder("step ")
                .append(moment.position())
                .append(" of ")
                .append(moment.run().size());
        if (moment.run().dropped() > 0) {
            line.append("  ·  ").append(moment.run().dropped()).append(" events lost");
        }
        Markers.between(moment.run(), desk.session())
                .ifPresent(between -> line.append("  ·  ").append(between));
        Optional<Story> story = desk.session().story(moment.run());
        story.ifPresent(found -> line.append("  ·  request ")
                .append(found.number() + 1)
                .append(" of ")
                .append(moment.run().stories().size())
                .append(' ')
                .append(found.opcode()));
        story.filter(found -> found.call() != 0)
                .ifPresent(found -> line.append("  ·  system call ").append(found.call()));
        boolean isModel = "model".equals(moment.run().about().get("time"));
        line.append(isModel ? "  ·  model " : "  ·  measured ")
                .append(String.format("%.1f µs", (moment.nanos() - moment.run().begin()) / 1000.0));
        return line.toString();
    }
}
