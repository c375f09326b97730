package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import vitrine.guest.qemu.ShellWords;

/// Words on their way through a shell (POSIX.1-2017, Shell Command Language, 2.2 Quoting).
class ShellWordsTest {

    private static final String SPECIAL = " \t\n'\"\\$`*?[]{}()<>|&;#~!=%-";

    /// What is quoted and split again is the same.
    ///
    /// Caught: an empty word that was left out.
    @Property
    void splitTakesApartWhatQuotePutTogether(
            @ForAll List<@Chars({' ', '\n', '\'', '"', '\\', '$', 'a'}) String> words) {
        String line = ShellWords.quote(words);

        List<String> again = ShellWords.split(line);

        assertEquals(words, again);
    }

    /// A real shell sees exactly the words that were quoted.
    ///
    /// Caught: a quote written as a backslash and a quote within quotes; an empty word without any.
    @Property(tries = 20)
    void aShellSeesTheSameWords(@ForAll @Size(min = 1, max = 40) List<@CharRange(from = ' ', to = '~') String> words)
            throws Exception {
        String line = "printf '<%s>' " + ShellWords.quote(words) + " " + ShellWords.quote(SPECIAL);

        Process shell = new ProcessBuilder("sh", "-c", line).start();
        String seen = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals("<" + String.join("><", words) + "><" + SPECIAL + ">", seen);
    }

    /// Quotes and backslashes may stand anywhere in a word.
    @Example
    void piecesOfAWordAreOneWord() {
        assertEquals(
                List.of("-o", "source=/a b", "x\"y", "it's"), ShellWords.split("-o source='/a b' \"x\\\"y\" it\\'s"));
        assertThrows(IllegalArgumentException.class, () -> ShellWords.split("not 'closed"));
    }
}
