package vitrine.guest.qemu;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Words of a command line, to and from the way a POSIX shell writes them.
public final class ShellWords {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    // One piece of a word: '…' | "…" | \x | plain. A word is pieces without white space in between.
    private static final Pattern PIECE =
            Pattern.compile("'([^']*)'|\"((?:[^\"\\\\]|\\\\.)*)\"|\\\\(.)|([^\\s'\"\\\\]+)");

    private ShellWords() {}

    /// A line that a shell takes apart into exactly these words again.
    public static String quote(List<String> words) {
        return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }

    /// One word, in quotes where it needs any.
    public static String quote(String word) {
        // Within '…' a shell looks at nothing; a ' itself is written outside: '\''
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /// The words of a line with quotes and backslashes, without variables or globs.
    ///
    /// @throws IllegalArgumentException if a quote is not closed
    public static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = null;
        Matcher piece = PIECE.matcher(line);
        int at = 0;
        while (at < line.length()) {
            if (Character.isWhitespace(line.charAt(at))) {
                if (word != null) {
                    words.add(word.toString());
                    word = null;
                }
                at++;
                continue;
            }
            if (!piece.region(at, line.length()).lookingAt()) {
                throw new IllegalArgumentException("not closed: " + line.substring(at));
            }
            word = word == null ? new StringBuilder() : word;
            word.append(text(piece));
            at = piece.end();
        }
        if (word != null) {
            words.add(word.toString());
        }
        return words;
    }

    private static String text(Matcher piece) {
        if (piece.group(2) != null) {
            return piece.group(2).replaceAll("\\\\([\"\\\\$`])", "$1");
        }
        for (int group : new int[] {1, 3, 4}) {
            if (piece.group(group) != null) {
                return piece.group(group);
            }
        }
        throw new IllegalStateException("no piece matched");
    }
}
