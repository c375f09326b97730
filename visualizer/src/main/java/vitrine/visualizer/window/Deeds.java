package vitrine.visualizer.window;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javafx.geometry.Pos;
import javafx.scene.control.ContextMenu;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.stage.FileChooser;
import vitrine.visualizer.command.Opened;
import vitrine.visualizer.paint.SvgPainter;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Link;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.timeline.Session.Zoom;
import vitrine.visualizer.view.Views;

/// Does what the reader asks for.
final class Deeds {

    private static final Set<Command> PLAYING = Set.of(Command.PLAY, Command.SLOWER, Command.FASTER);
    private static final double CLOSER = 0.5;
    private static final double LARGER = 1.1;
    private static final int PAGE = 5; // rows

    private final Desk desk;
    private final Player player;
    private final Runs runs;
    private final Overlay overlay;
    private final MainPane pane;
    private final Asker asker;
    private final Breakpoints breakpoints;
    private final Comparing comparing;
    private final Lecturing lecturing;

    Deeds(Desk desk, Player player, Runs runs, Overlay overlay, MainPane pane) {
        this.desk = desk;
        this.player = player;
        this.runs = runs;
        this.overlay = overlay;
        this.pane = pane;
        this.asker = new Asker();
        this.breakpoints = new Breakpoints(desk, asker);
        this.comparing = new Comparing(desk, runs, overlay, this::choose);
        this.lecturing = new Lecturing(desk, overlay, pane, () -> perform(Command.STEP));
        player.stopAt(breakpoints::isAt);
    }

    /// Does it, if it can be done now.
    void perform(Command command) {
        if (command.group().equals("Moving") && !PLAYING.contains(command)) {
            player.pause();
        }
        switch (command) {
            case STEP -> desk.go(desk.next());
            case STEP_BACK -> desk.stepBack();
            case NEXT_REQUEST -> desk.toRequest(1);
            case PREVIOUS_REQUEST -> desk.toRequest(-1);
            case TO_START -> desk.go(0);
            case TO_END -> desk.toAnchor("end");
            case PLAY -> player.toggle();
            case SLOWER -> player.speed(player.speed() - 1);
            case FASTER -> player.speed(player.speed() + 1);
            case FILTER -> pane.toolbar().filter().requestFocus();
            case CLOSER, WIDER, EARLIER, LATER, WHOLE -> zoom(command);
            case MARK -> mark();
            case UNMARK -> desk.session(now -> now.markers(List.of()));
            case LARGER -> desk.zoom(LARGER);
            case SMALLER -> desk.zoom(1 / LARGER);
            case THEME -> desk.theme(desk.theme() == Theme.DARK ? Theme.LIGHT : Theme.DARK);
            case LECTURE, SPOTLIGHT, POLL, NOTES -> lecturing.perform(command);
            case DOWN, UP -> pane.view().scroll(command == Command.DOWN ? PAGE : -PAGE);
            case UNDO -> desk.undo();
            case REDO -> desk.redo();
            case COPY_LINK -> copyLink();
            case EXPORT -> export();
            case GALLERY, OPEN -> elsewhere(command);
            case GO_TO, PALETTE -> palette();
            case COMPARE -> comparing.toggle();
            case HELP -> help();
            case CLOSE -> close();
            case VIEW_1, VIEW_2, VIEW_3, VIEW_4, VIEW_5, VIEW_6, VIEW_7, VIEW_8 -> view(command.view());
            case FORK -> comparing.fork();
            case BREAKPOINT, BREAK_AT_FILTER, RUN -> stopping(command);
            case NEXT_MATCH, PREVIOUS_MATCH -> toMatch(command == Command.NEXT_MATCH);
            case NEXT_DIFFERENCE, PREVIOUS_DIFFERENCE -> comparing.toDifference(command == Command.NEXT_DIFFERENCE);
        }
    }

    private void toMatch(boolean forward) {
        int event = pane.matches().event(desk.session().position(), forward);
        if (event < 0) {
            overlay.say(desk.session().filter().isEmpty() ? "There is no filter: / writes one." : "No more matches.");
        } else {
            desk.go(event + 1);
        }
    }

    private void mark() {
        desk.session(Markers::set);
        desk.run().flatMap(run -> Markers.between(run, desk.session())).ifPresent(overlay::say);
    }

    private void stopping(Command command) {
        if (command == Command.BREAKPOINT && lecturing.isOn()) {
            lecturing.blank();
        } else if (command == Command.BREAKPOINT) {
            breakpoints.toggleHere().ifPresent(overlay::say);
        } else if (command == Command.BREAK_AT_FILTER) {
            String filter = desk.session().filter();
            overlay.say(filter.isBlank() ? "There is no filter: / writes one." : breakpoints.toggle(filter));
        } else if (breakpoints.isEmpty()) {
            overlay.say("There is nothing to stop at: B stops at each event like this one,"
                    + " Shift+B at whatever the filter lets through.");
        } else {
            breakpoints.next(desk::go);
        }
    }

    /// What can be done with a part of a picture.
    ContextMenu menu(String part) {
        return new PartMenu(desk, breakpoints, asker, overlay::say, this::copyLink).of(part);
    }

    /// From the start page: an experiment is two runs beside each other.
    void openCard(String name) {
        Optional<List<Scenario>> pair = Gallery.find(name).flatMap(Gallery::experiment);
        open(pair.map(both -> both.getFirst().name() + "?view=compare&b="
                        + both.getLast().name())
                .orElse(name));
    }

    private void zoom(Command command) {
        switch (command) {
            case CLOSER -> zoom(CLOSER, 0);
            case WIDER -> zoom(1 / CLOSER, 0);
            case EARLIER -> zoom(1, -0.25);
            case LATER -> zoom(1, 0.25);
            default -> desk.session(now -> now.zoom(Zoom.ALL));
        }
    }

    /// The time line's span becomes so many times as long, around the present moment, and moves by
    /// a part of its length.
    private void zoom(double factor, double shift) {
        desk.moment()
                .ifPresent(moment -> desk.session(now -> {
                    Zoom shown = now.zoom().within(moment.run());
                    double length = shown.to() - shown.from();
                    double middle = factor == 1 ? shown.from() + length / 2 : moment.nanos();
                    double from = middle - length * factor / 2 + shift * length;
                    return now.zoom(new Zoom((long) from, (long) (from + length * factor)));
                }));
    }

    private void view(int number) {
        List<View> tabs = MainPane.tabbed();
        if (number < tabs.size()) {
            desk.to(desk.place().looking(tabs.get(number).name()));
        }
    }

    /// Opens a link, a scenario or a file.
    void open(String text) {
        try {
            Link link = Link.parse(text);
            runs.get(link.run(), run -> show(link, new Place.Shown(link.run(), run)), overlay::say);
        } catch (IllegalArgumentException e) {
            overlay.say(e.getMessage());
        }
    }

    /// Follows a daemon that tells what it does.
    void live(Path socket) {
        Run[] latest = {null};
        Runnable show = () -> {
            if (latest[0] != null && player.playing().get()) {
                Place.Shown shown = new Place.Shown(LiveFeed.NAME, latest[0]);
                Session end = desk.session().at(latest[0].size());
                desk.glide(new Place(
                        Optional.of(shown), Optional.empty(), desk.place().view(), end));
            }
        };
        LiveFeed feed = new LiveFeed(run -> {
            latest[0] = run;
            show.run();
        });
        try {
            feed.follow(socket, why -> {
                player.followNoMore();
                overlay.say(why);
            });
            player.follow(show);
            overlay.say("Following " + socket + ". Space stops the view, never the daemon.");
        } catch (IOException e) {
            overlay.say(e.getMessage());
        }
    }

    private void show(Link link, Place.Shown shown) {
        player.followNoMore();
        String view = link.view().isEmpty() ? Views.ALL.getFirst().name() : link.view();
        Session session = Session.START.select(link.selection()).filter(link.filter());
        desk.to(new Place(Optional.of(shown), Optional.empty(), view, session));
        String note = desk.toAnchor(link.anchor())
                .map(found -> Opened.note(link, shown.run(), found))
                .orElse("This run has no moment '" + link.anchor() + "'; this is its start.");
        if (!note.isEmpty()) {
            overlay.say(note);
        }
        if (!link.other().isEmpty()) {
            comparing.beside(link.other(), link.view().isEmpty() ? "compare" : link.view());
        }
        pane.view().requestFocus();
    }

    private void elsewhere(Command command) {
        player.pause();
        if (command == Command.GALLERY) {
            desk.to(Place.START_PAGE);
            return;
        }
        FileChooser chooser = new FileChooser();
        chooser.setTitle("Open a capture");
        chooser.getExtensionFilters().add(new FileChooser.ExtensionFilter("Captures", "*.pcapng", "*"));
        File file = chooser.showOpenDialog(pane.getScene().getWindow());
        if (file != null) {
            open(file.getPath());
        }
    }

    private void copyLink() {
        desk.link().ifPresent(link -> {
            ClipboardContent content = new ClipboardContent();
            content.putString(link.toString());
            Clipboard.getSystemClipboard().setContent(content);
            overlay.say("Copied " + link);
        });
    }

    /// The same picture as `vitrine render` makes of the link, in the colours that are shown.
    private void export() {
        desk.link().ifPresent(link -> {
            File file = new File(
                    "vitrine-" + desk.place().view() + "-" + desk.session().position() + ".svg");
            double scale = desk.scale();
            SvgPainter painter = new SvgPainter(
                    pane.view().getWidth() / scale, pane.view().getHeight() / scale, scale, desk.theme());
            Views.named(desk.place().view()).paint(pane.view().subject(), painter);
            try {
                Files.writeString(file.toPath(), painter.svg());
                overlay.say("Saved " + file.getAbsolutePath());
            } catch (IOException e) {
                overlay.say("Not saved: " + e.getMessage());
            }
        });
    }

    private void palette() {
        choose("command, view, scenario, moment, opcode, field or term", Choices.of(desk, this, overlay::say));
    }

    private void choose(String prompt, List<Palette.Choice> choices) {
        Palette palette = new Palette(prompt, choices, overlay::close);
        palette.alsoOffer(text -> Choices.typed(desk, text));
        overlay.open(palette, palette.field(), Pos.TOP_CENTER);
    }

    private void help() {
        HelpSheet sheet = new HelpSheet();
        overlay.open(sheet, sheet, Pos.CENTER);
    }

    private void close() {
        if (!overlay.isOpen() && pane.toolbar().filter().isFocused()) {
            pane.view().requestFocus();
            return;
        }
        if (overlay.close()) {
            return;
        }
        if (lecturing.isOn()) {
            lecturing.toggle();
        } else {
            desk.session(now -> now.select(""));
        }
    }
}
