package vitrine.visualizer.window;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javafx.application.Platform;
import vitrine.visualizer.query.Answer;
import vitrine.visualizer.query.Query;
import vitrine.visualizer.query.QueryException;
import vitrine.visualizer.timeline.Run;

/// Asks runs questions on a thread of its own: a long run takes a while to answer.
final class Asker {

    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("asker").factory());

    /// Finds out what a question selects.
    ///
    /// @param found is told on the JavaFX thread, and so is
    /// @param wrong what is wrong with the question
    void ask(String question, Run run, Consumer<Answer.Selected> found, Consumer<String> wrong) {
        worker.execute(() -> {
            try {
                if (Query.parse(question).ask(run) instanceof Answer.Selected selected) {
                    Platform.runLater(() -> found.accept(selected));
                } else {
                    Platform.runLater(() -> wrong.accept(question + " is one answer for the whole run"));
                }
            } catch (QueryException e) {
                Platform.runLater(() -> wrong.accept(question + ": " + e.getMessage()));
            }
        });
    }
}
