package vitrine.visualizer.window;

import javafx.geometry.Pos;
import javafx.scene.layout.Region;
import vitrine.visualizer.paint.Theme;

/// Does what is for a lecture hall: one large view, a dark screen, a poll, notes for the lecturer.
final class Lecturing {

    private final Desk desk;
    private final Overlay overlay;
    private final MainPane pane;
    private final Runnable step;
    private final Region dark = new Region();
    private Theme before = Theme.LIGHT;
    private Notes notes;
    private boolean on;

    /// @param step goes on to the next event
    Lecturing(Desk desk, Overlay overlay, MainPane pane, Runnable step) {
        this.desk = desk;
        this.overlay = overlay;
        this.pane = pane;
        this.step = step;
        dark.setId("dark");
        dark.getStyleClass().add("dark");
        dark.setAccessibleText("The screen is dark. B brings the picture back.");
    }

    boolean isOn() {
        return on;
    }

    /// Does it, if it is for a lecture.
    void perform(Command command) {
        switch (command) {
            case LECTURE -> toggle();
            case SPOTLIGHT -> desk.spotlight(!desk.spotlight());
            case POLL -> poll();
            case NOTES -> notes();
            default -> {}
        }
    }

    /// Begins a lecture, or ends it: then everything looks as it did before.
    void toggle() {
        on = !on;
        pane.getChildren().remove(dark);
        pane.lecture(on);
        if (on) {
            before = desk.theme();
        } else {
            desk.spotlight(false);
        }
        desk.theme(on ? Theme.LECTURE : before);
        pane.view().requestFocus();
    }

    /// Everybody looks at the lecturer, until the same key is pressed again.
    void blank() {
        if (!pane.getChildren().remove(dark)) {
            pane.getChildren().add(dark);
        }
    }

    /// Asks the audience what comes next.
    private void poll() {
        desk.moment()
                .flatMap(Poll.Question::of)
                .ifPresentOrElse(
                        question -> {
                            Poll poll = new Poll(question, step, overlay::close);
                            overlay.open(poll, poll.first(), Pos.CENTER);
                        },
                        () -> overlay.say("Nothing comes next: this is the end of the run."));
    }

    /// Opens the second window, or closes it.
    private void notes() {
        if (notes != null && notes.isShowing()) {
            notes.close();
        } else if (desk.run().isPresent()) {
            notes = new Notes(desk, pane.getScene().getWindow());
            notes.show();
        } else {
            overlay.say("Notes are about a run: open one first.");
        }
    }
}
