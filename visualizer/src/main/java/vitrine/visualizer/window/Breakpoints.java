package vitrine.visualizer.window;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import vitrine.visualizer.query.Likeness;
import vitrine.visualizer.timeline.Run;

/// What to stop at: whatever a question selects, in the language of the filter.
final class Breakpoints {

    private final Desk desk;
    private final Asker asker;
    private final Set<String> questions = new LinkedHashSet<>();
    private final Map<String, BitSet> events = new HashMap<>(); // of `run`, those that are known
    private final List<Runnable> waiting = new ArrayList<>(); // until all are
    private Run run;

    Breakpoints(Desk desk, Asker asker) {
        this.desk = desk;
        this.asker = asker;
        desk.watch(this::follow);
    }

    /// Stops at what this selects from now on, or no more; says which.
    String toggle(String question) {
        if (questions.remove(question)) {
            return "Stops no more at " + question;
        }
        questions.add(question);
        ask(question);
        return "Stops at " + question + ". R runs there.";
    }

    /// The same for events like the present one; empty at the start.
    Optional<String> toggleHere() {
        return desk.moment()
                .filter(moment -> moment.position() > 0)
                .map(moment -> toggle(Likeness.ofEvent(moment.run(), moment.position() - 1)));
    }

    /// Another run has other events.
    private void follow() {
        Run shown = desk.run().orElse(null);
        if (shown != run) {
            run = shown;
            events.clear();
            questions.forEach(this::ask);
        }
    }

    private void ask(String question) {
        Run asked = run;
        if (asked != null) {
            asker.ask(
                    question,
                    asked,
                    selected -> known(asked, question, selected.events()),
                    _ -> known(asked, question, new BitSet()));
        }
    }

    private void known(Run asked, String question, BitSet found) {
        if (asked == run) {
            events.put(question, found);
            if (events.keySet().containsAll(questions)) {
                List<Runnable> ready = List.copyOf(waiting);
                waiting.clear();
                ready.forEach(Runnable::run);
            }
        }
    }

    boolean isEmpty() {
        return questions.isEmpty();
    }

    boolean isAt(int n) {
        return questions.stream()
                .anyMatch(question ->
                        events.containsKey(question) && events.get(question).get(n));
    }

    /// Tells the position after the next event to stop at, when it is known; the end if there is
    /// none.
    void next(IntConsumer to) {
        if (!events.keySet().containsAll(questions)) {
            waiting.add(() -> next(to));
            return;
        }
        desk.moment().ifPresent(moment -> {
            int next = moment.run().size() - 1;
            for (String question : questions) {
                int found = events.get(question).nextSetBit(moment.position());
                next = found < 0 ? next : Math.min(next, found);
            }
            to.accept(Math.max(moment.position(), next + 1));
        });
    }

    /// All of them in a line.
    String text() {
        return String.join(", ", questions);
    }
}
