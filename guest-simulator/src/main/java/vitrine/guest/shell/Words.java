package vitrine.guest.shell;

import java.util.ArrayList;
import java.util.List;

/// A line, cut into commands and words as sh(1) cuts it: at blanks, at `;` and around `>` and `>>`,
/// but not within quotes.
final class Words {

    /// A word, and whether some of it was quoted: a quoted `>` is no redirection.
    record Word(String text, boolean quoted) {

        /// Whether it is `>` or `>>`.
        boolean isRedirection() {
            return !quoted && (text.equals(">") || text.equals(">>"));
        }
    }

    private final List<List<Word>> commands = new ArrayList<>(List.of(new ArrayList<>()));
    private final StringBuilder word = new StringBuilder();
    private boolean begun;
    private boolean quoted;

    private Words() {}

    /// The commands of a line, each a list of words; some may be empty.
    ///
    /// @throws IllegalArgumentException if a quote is not closed
    static List<List<Word>> of(String line) {
        Words words = new Words();
        char quote = 0;
        for (char c : line.toCharArray()) {
            if (quote != 0 && c != quote) {
                words.word.append(c);
            } else if (quote != 0) {
                quote = 0;
            } else if (c == '\'' || c == '"') {
                quote = c;
                words.begin().quoted = true;
            } else {
                words.unquoted(c);
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("a quote is missing: " + quote);
        }
        words.end();
        return words.commands;
    }

    private void unquoted(char c) {
        if (c == '>') {
            if (!isArrow()) {
                end();
            }
            word.append(c);
            begun = true;
        } else if (c == ';') {
            end();
            commands.add(new ArrayList<>());
        } else if (Character.isWhitespace(c)) {
            end();
        } else {
            begin().word.append(c);
        }
    }

    /// Begins a word or goes on with it; after `>` it is another one.
    private Words begin() {
        if (isArrow() || word.toString().equals(">>") && !quoted) {
            end();
        }
        begun = true;
        return this;
    }

    private boolean isArrow() {
        return word.toString().equals(">") && !quoted;
    }

    private void end() {
        if (begun) {
            commands.getLast().add(new Word(word.toString(), quoted));
        }
        word.setLength(0);
        begun = false;
        quoted = false;
    }
}
