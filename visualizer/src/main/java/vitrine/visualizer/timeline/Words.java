package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Every text of a run once, by number: a million requests say WRITE, and it is one word. Numbers
/// in decimal are no words but themselves: below zero.
final class Words {

    private static final int OBJECTS = 100; // bytes of a text, its entry and its number, beside the letters

    private final List<String> byNumber = new ArrayList<>();
    private final Map<String, Integer> byText = new HashMap<>();
    private long letters;

    Words() {
        byNumber.add(""); // what most events have: its number is 0, and nobody looks for it
    }

    int number(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        int itself = decimal(text);
        if (itself >= 0) {
            return -1 - itself;
        }
        return byText.computeIfAbsent(text, word -> {
            byNumber.add(word);
            letters += word.length();
            return byNumber.size() - 1;
        });
    }

    /// What a text of up to nine digits says, -1 for any other.
    private static int decimal(String text) {
        int length = text.length();
        if (length == 0 || length > 9 || length > 1 && text.charAt(0) == '0') {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < length; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = 10 * value + digit;
        }
        return value;
    }

    String text(int number) {
        return number < 0 ? String.valueOf(-1 - number) : byNumber.get(number);
    }

    /// About how much memory they take.
    long bytes() {
        return letters + (long) OBJECTS * byNumber.size();
    }

    /// The same words, to which no more will come.
    Words frozen() {
        Words copy = new Words();
        copy.byNumber.addAll(byNumber.subList(1, byNumber.size()));
        return copy;
    }
}
