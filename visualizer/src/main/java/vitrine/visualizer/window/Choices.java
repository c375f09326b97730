package vitrine.visualizer.window;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import vitrine.visualizer.anatomy.Glossary;
import vitrine.visualizer.anatomy.Meaning;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Anchors;
import vitrine.visualizer.timeline.Run;

/// What the palette offers: all commands, and all places that there are to go to.
final class Choices {

    private Choices() {}

    /// @param say tells the reader what a word means
    static List<Palette.Choice> of(Desk desk, Deeds deeds, Consumer<String> say) {
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
        opcodes(desk, say, choices);
        Meaning.all()
                .forEach((name, meaning) -> choices.add(new Palette.Choice(name, "field", () -> {
                    desk.session(now -> now.select("field-" + name));
                    say.accept(name + ": " + meaning.sentence() + " (" + meaning.reference() + ")");
                })));
        Glossary.TERMS.forEach((term, meaning) -> choices.add(new Palette.Choice(
                term, "term", () -> say.accept(term + ": " + meaning.sentence() + " (" + meaning.reference() + ")"))));
        return choices;
    }

    /// Leads to the first request of that sort; where a run has none, says what it is.
    private static void opcodes(Desk desk, Consumer<String> say, List<Palette.Choice> choices) {
        Glossary.opcodes().forEach((opcode, sentence) -> {
            String anchor = "first-" + opcode.toLowerCase(Locale.ROOT).replace('_', '-');
            choices.add(new Palette.Choice(opcode + "  " + sentence, "opcode", () -> {
                if (desk.run().isEmpty() || desk.toAnchor(anchor).isEmpty()) {
                    say.accept(opcode + ": " + sentence);
                }
            }));
        });
    }

    /// What somebody may mean who typed this: a moment that is not in the list, such as step-17.
    static List<Palette.Choice> typed(Desk desk, String text) {
        boolean isThere = text.contains("-")
                && desk.run().flatMap(run -> Anchors.nearest(run, text)).isPresent();
        return isThere ? List.of(new Palette.Choice(text, "moment", () -> desk.toAnchor(text))) : List.of();
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
