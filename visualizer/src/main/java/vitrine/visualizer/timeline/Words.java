package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Every text of a run once, by number: a million requests say WRITE, and it is one word.
final class Words {

    private final List<String> byNumber = new ArrayList<>();
    private final Map<String, Integer> byText = new HashMap<>();

    int number(String text) {
        return byText.computeIfAbsent(text, word -> {
            byNumber.add(word);
            return byNumber.size() - 1;
        });
    }

    String text(int number) {
        return byNumber.get(number);
    }

    int count() {
        return byNumber.size();
    }

    /// The same words, to which no more will come.
    Words frozen() {
        Words copy = new Words();
        copy.byNumber.addAll(byNumber);
        return copy;
    }
}
