package vitrine.visualizer.window;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;

/// Everything that can be done, what it is called, and with which keys: what the toolbar, the
/// palette and the help sheet have in common.
enum Command {
    STEP("Moving", "a step forward", "Right", "Page Down"),
    STEP_BACK("Moving", "a step back", "Left", "Page Up"),
    NEXT_REQUEST("Moving", "to the next request", "Shift+Right"),
    PREVIOUS_REQUEST("Moving", "to the request before", "Shift+Left"),
    TO_START("Moving", "to the start", "Home"),
    TO_END("Moving", "to the end", "End"),
    PLAY("Moving", "play, or pause", "Space"),
    SLOWER("Moving", "play slower", "["),
    FASTER("Moving", "play faster", "]"),
    NEXT_MATCH("Moving", "to the next match of the filter", "."),
    PREVIOUS_MATCH("Moving", "to the match before", ","),
    GO_TO("Moving", "to a moment, such as step-17", "G"),
    NEXT_DIFFERENCE("Moving", "to the next difference", "N"),
    PREVIOUS_DIFFERENCE("Moving", "to the difference before", "Shift+N"),

    FILTER("Finding", "filter requests", "/"),
    PALETTE("Finding", "find anything by its name", "Shortcut+K"),
    BREAKPOINT("Finding", "stop when this happens; lecture: dark", "B"),
    BREAK_AT_FILTER("Finding", "stop at what the filter lets through", "Shift+B"),
    RUN("Finding", "run to where it stops next", "R"),
    MARK("Finding", "set a marker here", "M"),
    UNMARK("Finding", "remove the markers", "Shift+M"),

    VIEW_1("Looking", "first view", "1"),
    VIEW_2("Looking", "second view", "2"),
    VIEW_3("Looking", "third view", "3"),
    VIEW_4("Looking", "fourth view", "4"),
    VIEW_5("Looking", "fifth view", "5"),
    VIEW_6("Looking", "sixth view", "6"),
    VIEW_7("Looking", "seventh view", "7"),
    VIEW_8("Looking", "eighth view", "8"),
    CLOSER("Looking", "time line: closer", "W"),
    WIDER("Looking", "time line: wider", "S"),
    EARLIER("Looking", "time line: earlier", "A"),
    LATER("Looking", "time line: later", "D"),
    WHOLE("Looking", "time line: all of it", "F5"),
    LARGER("Looking", "larger", "Shortcut+Plus", "Shortcut+Equals"),
    SMALLER("Looking", "smaller", "Shortcut+Minus"),
    THEME("Looking", "light or dark", "T"),
    DOWN("Looking", "scroll down", "Shortcut+Down"),
    UP("Looking", "scroll up", "Shortcut+Up"),

    LECTURE("Lecturing", "lecture: one view, large", "L"),
    SPOTLIGHT("Lecturing", "spotlight on one part", "P"),
    POLL("Lecturing", "poll: what comes next?", "Q"),
    NOTES("Lecturing", "notes in a second window", "Shift+L"),

    FORK("Comparing", "run it again, one thing changed", "F"),
    COMPARE("Comparing", "compare with another run", "C"),
    UNDO("Comparing", "back to where you were", "Shortcut+Z"),
    REDO("Comparing", "forth again", "Shortcut+Shift+Z", "Shortcut+Y"),

    COPY_LINK("Keeping", "copy a link to this moment", "Shortcut+L"),
    EXPORT("Keeping", "save this picture as SVG", "E"),
    GALLERY("Keeping", "start page: all scenarios", "Shortcut+Home"),
    OPEN("Keeping", "open a capture file", "Shortcut+O"),
    HELP("Keeping", "these keys", "?", "F1"),
    CLOSE("Keeping", "close, or select nothing", "Esc");

    private final String group;
    private final String title;
    private final List<String> keys;

    Command(String group, String title, String... keys) {
        this.group = group;
        this.title = title;
        this.keys = List.of(keys);
    }

    String group() {
        return group;
    }

    String title() {
        return title;
    }

    /// As it is written on the keyboard, such as `Shift+Right`.
    List<String> keys() {
        return keys;
    }

    /// The command of a key that was pressed, or of a character that was typed.
    static Optional<Command> of(KeyEvent event) {
        return Stream.of(values())
                .filter(command -> command.keys.stream().anyMatch(key -> matches(key, event)))
                .findFirst();
    }

    /// Punctuation is looked for as a character: it lies elsewhere on each keyboard.
    private static boolean matches(String key, KeyEvent event) {
        boolean isPunctuation = key.length() == 1 && !Character.isLetterOrDigit(key.charAt(0));
        if (event.getEventType() == KeyEvent.KEY_TYPED) {
            return isPunctuation
                    && !event.isShortcutDown()
                    && event.getCharacter().equals(key);
        }
        return !isPunctuation && KeyCombination.valueOf(key).match(event);
    }

    /// The views by their place, 0 for the first; -1 for what is no view.
    int view() {
        return name().startsWith("VIEW_") ? ordinal() - VIEW_1.ordinal() : -1;
    }
}
