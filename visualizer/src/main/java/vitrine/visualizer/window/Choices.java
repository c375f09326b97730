package vitrine.visualizer.window;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.view.View;

/// What the palette offers: all commands, and all places that there are to go to.
final class Choices {

    private Choices() {}

    static List<Palette.Choice> of(Desk desk, Deeds deeds) {
        List<Palette.Choice> choices = new ArrayList<>();
        desk.run()
                .ifPresent(run -> moments(run)
                        .forEach(name -> choices.add(new Palette.Choice(name, "moment", () -> desk.toAnchor(name)))));
        for (View view : MainPane.tabbed()) {
            choices.add(new Palette.Choice(
                    view.title(), "view", () -> desk.to(desk.place().looking(view.name()))));
        }
        for (Scenario scenario : Gallery.ALL) {
            choices.add(new Palette.Choice(scenario.title(), "scenario", () -> deeds.open(scenario.name())));
        }
        for (Command command : Command.values()) {
            if (command != Command.PALETTE && command != Command.CLOSE) {
                String keys = command.keys().getFirst().replace("Shortcut", "Ctrl");
                choices.add(new Palette.Choice(
                        command.title() + "  (" + keys + ")", "command", () -> deeds.perform(command)));
            }
        }
        return choices;
    }

    /// The names of moments of a run: where each thing that has a name comes first and last.
    private static Set<String> moments(Run run) {
        Set<String> names = new LinkedHashSet<>();
        names.add("start");
        run.anchors().forEach((word, count) -> {
            names.add("first-" + word);
            if (count > 1) {
                names.add("last-" + word);
            }
        });
        for (int number = 1; number <= Math.min(200, run.stories().size()); number++) {
            names.add("request-" + number);
        }
        names.add("end");
        return names;
    }
}
