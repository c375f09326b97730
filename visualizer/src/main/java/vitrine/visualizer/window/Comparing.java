package vitrine.visualizer.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Intrusion;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.scenario.Variation;
import vitrine.visualizer.timeline.Difference;
import vitrine.visualizer.timeline.Difference.Row;
import vitrine.visualizer.timeline.Run;

/// Does what is about two runs.
final class Comparing {

    private static final String COMPARE = "compare";

    private final Desk desk;
    private final Runs runs;
    private final Overlay overlay;
    private final BiConsumer<String, List<Palette.Choice>> choose;

    /// @param choose lets the reader choose, with a prompt
    Comparing(Desk desk, Runs runs, Overlay overlay, BiConsumer<String, List<Palette.Choice>> choose) {
        this.desk = desk;
        this.runs = runs;
        this.overlay = overlay;
        this.choose = choose;
    }

    /// Lays the run of this name beside the one that is looked at.
    ///
    /// @param view through which both are looked at then
    void beside(String name, String view) {
        Optional<Run> shown = desk.run();
        runs.get(
                name,
                other -> shown.ifPresent(run -> run.differenceTo(other)), // not while the window waits for it
                run -> desk.to(desk.place()
                        .beside(Optional.of(new Place.Shown(name, run)))
                        .looking(view)),
                overlay::say);
    }

    /// Chooses a run to compare with, or compares no more.
    void toggle() {
        if (desk.place().other().isPresent()) {
            desk.to(desk.place().beside(Optional.empty()));
            return;
        }
        Optional<List<Scenario>> experiment = desk.place()
                .shown()
                .flatMap(shown -> Gallery.find(shown.name()))
                .flatMap(Gallery::experiment);
        List<Palette.Choice> choices = Stream.concat(experiment.stream().flatMap(List::stream), Gallery.ALL.stream())
                .distinct()
                .filter(each -> desk.place().shown().stream()
                        .noneMatch(shown -> shown.name().equals(each.name())))
                .map(each -> new Palette.Choice(each.title(), "scenario", () -> beside(each.name(), COMPARE)))
                .toList();
        choose.accept("compare with", choices);
    }

    /// To the next request, or the one before, that only one of the runs has, or that differs.
    void toDifference(boolean forward) {
        if (desk.place().other().isEmpty()) {
            overlay.say("There is nothing to compare with: C chooses a run.");
            return;
        }
        Run run = desk.run().orElseThrow();
        Difference difference = run.differenceTo(desk.place().other().get().run());
        int present = difference.rowOf(run, desk.session()).orElse(-1);
        OptionalInt next = difference.next(present, forward);
        if (next.isEmpty()) {
            overlay.say("No more differences " + (forward ? "after" : "before") + " this request.");
            return;
        }
        Row row = difference.rows().get(next.getAsInt());
        desk.session(now ->
                row.first().map(story -> now.at(story.begin() + 1)).orElse(now).select(row.id()));
    }

    /// The same scenario with one thing changed, beside this one.
    void fork() {
        Optional<Scenario> scenario = desk.place().shown().flatMap(shown -> Gallery.find(shown.name()));
        if (scenario.isEmpty()) {
            overlay.say("Only a scenario can be run again; this is a capture.");
            return;
        }
        List<Palette.Choice> choices = new ArrayList<>();
        for (Variation each : Variation.values()) {
            choices.add(choice(each.title(), "change", each.of(scenario.get())));
        }
        for (Intrusion each : Intrusion.from(desk.session().position())) {
            choices.add(choice(each.title(), each.kind(), each.of(scenario.get())));
        }
        choose.accept("run it again, but", choices);
    }

    private Palette.Choice choice(String title, String kind, Scenario scenario) {
        return new Palette.Choice(title, kind, () -> beside(scenario.name(), COMPARE));
    }
}
