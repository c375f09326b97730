package vitrine.visualizer.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.scene.Node;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.input.ContextMenuEvent;
import vitrine.visualizer.query.Likeness;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Selection;

/// What can be done with the thing that was pointed at: a request, an event, a field, a descriptor.
final class PartMenu {

    private final Desk desk;
    private final Breakpoints breakpoints;
    private final Asker asker;
    private final Consumer<String> say;
    private final Runnable copyLink;

    /// @param copyLink copies the link to where the reader is then
    PartMenu(Desk desk, Breakpoints breakpoints, Asker asker, Consumer<String> say, Runnable copyLink) {
        this.desk = desk;
        this.breakpoints = breakpoints;
        this.asker = asker;
        this.say = say;
        this.copyLink = copyLink;
    }

    /// Shows a menu where the right button was pressed, or the menu key meant.
    static void show(Function<String, ContextMenu> menu, String part, Node node, ContextMenuEvent event) {
        menu.apply(part).show(node, event.getScreenX(), event.getScreenY());
        event.consume();
    }

    /// The menu of a part; there must be a run.
    ///
    /// @param part its id, empty for none
    ContextMenu of(String part) {
        Run run = desk.run().orElseThrow();
        List<MenuItem> items = new ArrayList<>();
        Optional<String> question = Likeness.ofPart(run, part, desk.session().story(run));
        question.ifPresent(like -> {
            items.add(item("filter", "Only these:  " + like, () -> filter(like)));
            items.add(item("exclude", "All but these", () -> exclude(like)));
            items.add(item("count", "Count them", () -> count(like, run)));
            items.add(item("break", "Stop at each of them, or no more", () -> say.accept(breakpoints.toggle(like))));
            items.add(new SeparatorMenuItem());
        });
        Selection.number(part, "event").ifPresent(n -> items.add(item("go", "Go to this step", () -> desk.go(n + 1))));
        items.add(item("link", part.isEmpty() ? "Copy a link" : "Copy a link to it", () -> {
            desk.session(now -> part.isEmpty() ? now : now.select(part));
            copyLink.run();
        }));
        ContextMenu menu = new ContextMenu();
        menu.setId("part-menu");
        menu.getItems().addAll(items);
        return menu;
    }

    private static MenuItem item(String id, String text, Runnable deed) {
        MenuItem item = new MenuItem(text);
        item.setId("menu-" + id);
        item.setMnemonicParsing(false); // a name may have an underscore
        item.setOnAction(_ -> deed.run());
        return item;
    }

    private void filter(String like) {
        desk.session(now -> now.filter(like));
    }

    private void exclude(String like) {
        String others = like.contains(" ") ? "!(" + like + ")" : "!" + like;
        desk.session(now -> now.filter(now.filter().isBlank() ? others : "(" + now.filter() + ") && " + others));
    }

    private void count(String like, Run run) {
        asker.ask(
                like,
                run,
                found -> {
                    String what = found.ofRequests() ? "request" : "event";
                    say.accept(like + ": " + found.count() + " " + what + (found.count() == 1 ? "" : "s"));
                },
                say);
    }
}
