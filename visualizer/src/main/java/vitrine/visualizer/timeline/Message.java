package vitrine.visualizer.timeline;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.Sender;

/// A request or a reply, with its fields by name.
///
/// @param event its number in the run
/// @param name the opcode of a request, empty for a reply
public record Message(int event, String name, long nanos, Sender sender, List<Field> fields) {

    /// The message that this event is.
    public static Message of(Run run, int n) {
        return switch (run.event(n)) {
            case TraceEvent.RequestDecoded e -> new Message(n, e.opcode(), e.at().nanos(), e.sender(), e.fields());
            case TraceEvent.ReplyGiven e -> new Message(n, "", e.at().nanos(), Columns.NOBODY, e.fields());
            default -> new Message(n, "", run.nanos(n), Columns.NOBODY, List.of());
        };
    }

    /// The request that a reply answers.
    public static Optional<Message> requestOf(Run run, int reply) {
        return run.stories()
                .of(reply)
                .flatMap(story -> run.stories().request(story.number()))
                .map(n -> of(run, n));
    }

    /// What a field says, without the quotes around a name.
    public Optional<String> text(String field) {
        return fields.stream()
                .filter(candidate -> candidate.name().equals(field))
                .map(candidate -> unquoted(candidate.value()))
                .findFirst();
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /// What a field says, if that is a number.
    public OptionalLong number(String field) {
        Optional<String> text = text(field);
        try {
            return text.isPresent() ? OptionalLong.of(number10(text.get())) : OptionalLong.empty();
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }

    private static long number10(String text) {
        return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseUnsignedLong(text, 10);
    }
}
