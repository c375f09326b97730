package vitrine.visualizer.window;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;

/// At which step the reader was last in each scenario: kept in a file of theirs, so that it
/// outlives the window. Where no file can be written, it is kept as long as the window is open.
final class Seen {

    private final Path file;
    private final Properties steps = new Properties();

    /// @param file where it is kept, in a folder that need not be there yet
    Seen(Path file) {
        this.file = file;
        try (Reader reader = Files.newBufferedReader(file)) {
            steps.load(reader);
        } catch (IOException | IllegalArgumentException _) {
            steps.clear(); // nothing was seen yet, or somebody else wrote it
        }
    }

    /// Where such things are kept (XDG Base Directory Specification).
    static Path usualFile() {
        String state = Optional.ofNullable(System.getenv("XDG_STATE_HOME"))
                .orElse(System.getProperty("user.home") + "/.local/state");
        return Path.of(System.getProperty("vitrine.state", state), "vitrine", "seen.properties");
    }

    OptionalInt step(String scenario) {
        try {
            return OptionalInt.of(Integer.parseInt(steps.getProperty(scenario, "")));
        } catch (NumberFormatException _) {
            return OptionalInt.empty();
        }
    }

    /// Remembers it, if there is anything to remember.
    void at(String scenario, int step) {
        if (step <= 0) {
            return;
        }
        steps.setProperty(scenario, String.valueOf(step));
        try {
            Files.createDirectories(file.getParent());
            try (Writer writer = Files.newBufferedWriter(file)) {
                steps.store(writer, "Vitrine: where the reader was last");
            }
        } catch (IOException _) {
            return; // it is kept as long as the window is open
        }
    }
}
