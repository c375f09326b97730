package vitrine.visualizer.window;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import javafx.beans.InvalidationListener;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.TextField;
import javafx.scene.control.TextFormatter;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Moment;
import vitrine.visualizer.timeline.Run;

/// A question for the audience: hands are counted for each answer, bars grow, and then the step is
/// made that shows which one was right.
final class Poll extends VBox {

    private static final double BAR = 160;

    /// What comes next, and what might.
    ///
    /// @param right the number of the answer that comes true
    record Question(List<String> answers, int right) {

        private static final int ANSWERS = 4;

        /// The answers are events of this very run: the next one, and some that come later or came
        /// before. Empty at the end.
        static Optional<Question> of(Moment moment) {
            Run run = moment.run();
            int next = moment.next() - 1;
            if (next >= run.size()) {
                return Optional.empty();
            }
            String right = Wording.label(run.event(next));
            Random random = new Random(next); // the same each time
            Set<String> answers = new LinkedHashSet<>(List.of(right));
            for (int i = 0; i < 100 && answers.size() < ANSWERS; i++) {
                int n = Math.clamp((long) next - 30 + random.nextInt(120), 0, run.size() - 1);
                if (run.kind(n) != Kind.RING_ACCESS) {
                    answers.add(Wording.label(run.event(n)));
                }
            }
            List<String> shown = new ArrayList<>(answers);
            Collections.shuffle(shown, random);
            return Optional.of(new Question(List.copyOf(shown), shown.indexOf(right)));
        }
    }

    private final Question question;
    private final List<TextField> hands = new ArrayList<>();
    private final List<ProgressBar> bars = new ArrayList<>();
    private final List<Label> labels = new ArrayList<>();
    private final Button reveal = new Button("Reveal");

    /// @param step makes the step that answers it
    /// @param close puts the card away
    Poll(Question question, Runnable step, Runnable close) {
        this.question = question;
        setId("poll");
        getStyleClass().add("card");
        setMaxSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
        Label title = new Label("What comes next?");
        title.getStyleClass().add("title");
        GridPane grid = new GridPane(12, 8);
        for (int i = 0; i < question.answers().size(); i++) {
            grid.addRow(i, row(i));
        }
        reveal.setId("poll-reveal");
        reveal.setAccessibleText("Reveal which answer is right, and make the step");
        reveal.setOnAction(_ -> reveal(step, close));
        HBox buttons = new HBox(reveal);
        buttons.setAlignment(Pos.CENTER_RIGHT);
        getChildren().addAll(title, grid, buttons);
        count();
    }

    /// Where the first number is typed.
    Node first() {
        return hands.getFirst();
    }

    private Node[] row(int number) {
        String letter = String.valueOf((char) ('A' + number));
        Label label = new Label(letter + "  " + question.answers().get(number));
        label.setWrapText(true);
        label.setMaxWidth(300);
        labels.add(label);
        TextField field = new TextField();
        field.setId("poll-" + letter);
        field.setPromptText("hands");
        field.setAccessibleText("Hands for " + label.getText());
        field.setPrefColumnCount(4);
        field.setTextFormatter(
                new TextFormatter<>(change -> change.getControlNewText().matches("\\d{0,4}") ? change : null));
        field.textProperty().addListener((InvalidationListener) _ -> count());
        hands.add(field);
        ProgressBar bar = new ProgressBar(0);
        bar.setPrefWidth(BAR);
        bar.setFocusTraversable(false);
        bars.add(bar);
        return new Node[] {label, field, bar};
    }

    /// The bars are shares of all hands.
    private void count() {
        List<Integer> counted = hands.stream()
                .map(field -> field.getText().isEmpty() ? 0 : Integer.parseInt(field.getText()))
                .toList();
        int all = Math.max(1, counted.stream().mapToInt(Integer::intValue).sum());
        IntStream.range(0, bars.size()).forEach(i -> {
            bars.get(i).setProgress((double) counted.get(i) / all);
            bars.get(i).setAccessibleText(100 * counted.get(i) / all + " per cent");
        });
    }

    /// First the answer, then the picture of it.
    private void reveal(Runnable step, Runnable close) {
        Label right = labels.get(question.right());
        right.getStyleClass().add("right");
        right.setText(right.getText() + "   (this one)");
        hands.forEach(field -> field.setEditable(false));
        reveal.setText("Close");
        reveal.setAccessibleText("Close");
        reveal.setOnAction(_ -> close.run());
        step.run();
    }
}
