package vitrine.guest.workload.fio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The names of all of fio's options, the ones that are not done here too: a name may be cut short
/// as long as no other one begins like it, and what others there are decides fio.
final class FioNames {

    /// An option.
    ///
    /// @param name as fio calls it in its output
    /// @param alone whether it may go without a value
    record Name(String name, boolean alone) {}

    private static final String TABLE = "options.txt";
    private static final TreeMap<String, Name> BY_SPELLING = read();

    private FioNames() {}

    /// What a word on the command line means.
    ///
    /// @param word without dashes and value
    /// @throws FioUsageException if fio has no such option, or several
    static Name find(String word) throws FioUsageException {
        Name exact = BY_SPELLING.get(word);
        if (exact != null) {
            return exact;
        }
        Map<String, Name> longer = BY_SPELLING.subMap(word, word + Character.MAX_VALUE);
        List<Name> meant = longer.values().stream().distinct().toList();
        if (word.isEmpty() || meant.isEmpty()) {
            throw new FioUsageException("fio has no option --" + word);
        }
        if (meant.size() > 1) {
            throw new FioUsageException("--" + word + " may be " + String.join(", ", longer.keySet()));
        }
        return meant.getFirst();
    }

    private static TreeMap<String, Name> read() {
        TreeMap<String, Name> names = new TreeMap<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(FioNames.class.getResourceAsStream(TABLE), StandardCharsets.UTF_8))) {
            for (String line :
                    lines.lines().filter(line -> !line.startsWith("#")).toList()) {
                String[] spellings = line.replace(" ?", "").split("=");
                Name name = new Name(spellings[0], line.endsWith(" ?"));
                for (String spelling : spellings) {
                    names.put(spelling, name);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(TABLE, e);
        }
        return names;
    }
}
