package vitrine.visualizer.window;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.scenario.Link;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.Subject.Manner;
import vitrine.visualizer.timeline.Anchors;
import vitrine.visualizer.timeline.Moment;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.timeline.Story;

/// What the reader has in front of them: a place, the way back, and how things look.
///
/// All deeds of the reader end here, on the JavaFX thread; whoever shows something watches.
final class Desk {

    private static final double SMALLEST = 0.8;
    private static final double LARGEST = 2.2;

    private final History history = new History();
    private final List<Runnable> watchers = new ArrayList<>();
    private Place place = Place.START_PAGE;
    private Theme theme = Theme.LIGHT;
    private double zoom = 1;
    private boolean spotlight;
    private Consumer<Place> leaving = _ -> {};
    private Optional<BitSet> matching = Optional.empty();

    /// Calls back after each change.
    void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    Place place() {
        return place;
    }

    Session session() {
        return place.session();
    }

    Optional<Run> run() {
        return place.shown().map(Place.Shown::run);
    }

    Theme theme() {
        return theme;
    }

    /// How much larger everything is drawn.
    double scale() {
        return theme.scale() * zoom;
    }

    void theme(Theme chosen) {
        theme = chosen;
        changed();
    }

    /// Whether one part of a picture is in the light, and the rest is not.
    boolean spotlight() {
        return spotlight;
    }

    void spotlight(boolean on) {
        spotlight = on;
        changed();
    }

    void zoom(double factor) {
        zoom = Math.clamp(zoom * factor, SMALLEST, LARGEST);
        changed();
    }

    /// What a view of this size is to draw. There must be a run.
    ///
    /// @param scroll by how many rows the reader has moved on
    Subject subject(double width, double height, int scroll) {
        return new Subject(
                run().orElseThrow(),
                place.other().map(Place.Shown::run),
                session(),
                width / scale(),
                height / scale(),
                matching,
                new Manner(scroll, theme == Theme.LECTURE));
    }

    /// Which events the filter lets through, when that is known.
    void matching(Optional<BitSet> events) {
        matching = events;
        changed();
    }

    /// The same for a run of which nothing is known yet.
    void matchAll() {
        matching = Optional.empty();
    }

    /// Who is told which place it was, when the reader goes to another run or to the start page.
    void leaving(Consumer<Place> watcher) {
        leaving = watcher;
    }

    /// Goes to another place; undo comes back.
    void to(Place next) {
        if (!next.equals(place)) {
            history.leave(place);
            if (!next.shown().equals(place.shown())) {
                leaving.accept(place);
            }
            place = next;
            changed();
        }
    }

    /// The same without a way back: for what moves by itself.
    void glide(Place next) {
        place = next;
        changed();
    }

    void session(UnaryOperator<Session> change) {
        to(place.with(change.apply(session())));
    }

    void undo() {
        place = history.back(place);
        changed();
    }

    void redo() {
        place = history.forth(place);
        changed();
    }

    Optional<Moment> moment() {
        return run().map(run -> run.at(session().position()));
    }

    /// Where a step leads.
    int next() {
        return moment().map(moment -> Math.min(moment.next(), moment.run().size()))
                .orElse(0);
    }

    boolean isAtEnd() {
        return moment().map(moment -> moment.position() >= moment.run().size()).orElse(true);
    }

    void go(int position) {
        run().ifPresent(run -> session(now -> now.at(Math.clamp(position, 0, run.size()))));
    }

    void stepBack() {
        moment().ifPresent(moment -> go(moment.previous()));
    }

    /// To the beginning of the request after, or before, the one that is looked at, and selects it.
    void toRequest(int direction) {
        run().ifPresent(run -> {
            int number = session().story(run).map(Story::number).orElse(-1) + direction;
            if (number >= 0 && number < run.stories().size()) {
                session(now -> now.at(run.stories().get(number).begin() + 1).select("request-" + (number + 1)));
            }
        });
    }

    /// To a moment by its name, or the nearest; empty if the run has nothing of that name.
    Optional<Anchors.Found> toAnchor(String anchor) {
        Optional<Anchors.Found> found = run().flatMap(run -> Anchors.nearest(run, anchor));
        found.ifPresent(moment -> go(moment.position()));
        return found;
    }

    /// This moment as a link.
    Optional<Link> link() {
        return place.shown()
                .map(shown -> new Link(
                        shown.name(),
                        "step-" + session().position(),
                        place.view(),
                        session().selection(),
                        place.other().map(Place.Shown::name).orElse(""),
                        session().filter(),
                        shown.run().about().getOrDefault("version", "")));
    }

    private void changed() {
        watchers.forEach(Runnable::run);
    }
}
