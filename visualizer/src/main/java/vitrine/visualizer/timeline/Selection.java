package vitrine.visualizer.timeline;

import java.util.Optional;

/// What the id of a selected part means: `request-3`, `event-17`, `desc-5`, `call-2`.
///
/// Every view names the same thing the same way, so whatever is clicked is selected everywhere.
public final class Selection {

    private Selection() {}

    /// The number at the end of an id with this beginning, such as 3 in `request-3`.
    public static Optional<Integer> number(String selection, String beginning) {
        if (!selection.startsWith(beginning + "-")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Integer.parseInt(selection.substring(beginning.length() + 1)));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// The story that a selected part belongs to. Requests count from 1, as they are shown.
    public static Optional<Story> story(Run run, String selection) {
        Optional<Story> byRequest = number(selection, "request")
                .filter(number -> number >= 1 && number <= run.stories().size())
                .map(number -> run.stories().get(number - 1));
        return byRequest
                .or(() -> number(selection, "event")
                        .flatMap(event -> run.stories().of(event)))
                .or(() -> number(selection, "call")
                        .flatMap(call -> run.stories().all().stream()
                                .filter(story -> story.call() == call)
                                .findFirst()));
    }
}
