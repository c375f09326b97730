package vitrine.guest.shell;

import java.util.ArrayList;
import java.util.List;

/// The words behind a program's name: flags, `name=value` pairs, and the rest.
final class Arguments {

    private static final List<String> WITH_NUMBER = List.of("-s", "-l");

    private final List<String> words;
    private final List<String> rest = new ArrayList<>();

    Arguments(List<String> words) {
        this.words = words;
        for (int i = 0; i < words.size(); i++) {
            if (WITH_NUMBER.contains(words.get(i)) && i + 1 < words.size() && isNumber(words.get(i + 1))) {
                i++;
            } else if (!words.get(i).startsWith("-") || words.get(i).length() == 1) {
                rest.add(words.get(i));
            }
        }
    }

    /// All words, as they are.
    List<String> words() {
        return words;
    }

    /// All that is no flag.
    List<String> all() {
        return rest;
    }

    /// One of them.
    ///
    /// @throws IndexOutOfBoundsException if it is missing
    String at(int index) {
        return rest.get(index);
    }

    /// One of them, if it is there.
    String at(int index, String otherwise) {
        return index < rest.size() ? rest.get(index) : otherwise;
    }

    /// Whether a flag is there.
    boolean flag(String name) {
        return words.contains(name);
    }

    /// The number behind a flag.
    ///
    /// @throws IndexOutOfBoundsException if it is missing
    long number(String flag) {
        return size(words.get(words.indexOf(flag) + 1));
    }

    /// The value of `name=value`.
    ///
    /// @param otherwise if there is none; null if there must be one
    /// @throws IndexOutOfBoundsException if there must be one
    String value(String name, String otherwise) {
        for (String word : words) {
            if (word.startsWith(name + "=")) {
                return word.substring(name.length() + 1);
            }
        }
        if (otherwise == null) {
            throw new IndexOutOfBoundsException(name);
        }
        return otherwise;
    }

    /// The value of `name=value` as a number.
    long size(String name, long otherwise) {
        return size(value(name, Long.toString(otherwise)));
    }

    private static long size(String text) {
        String digits = text.replaceAll("[kKmMgG]$", "");
        long number = Long.parseLong(digits);
        return switch (Character.toLowerCase(text.charAt(text.length() - 1))) {
            case 'k' -> number << 10;
            case 'm' -> number << 20;
            case 'g' -> number << 30;
            default -> number;
        };
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]+[kKmMgG]?");
    }
}
