package vitrine.guest.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.RequestDecoded;

/// What a request is about, in a few words, whatever its opcode.
///
/// All fields are in the event; here it is decided which of them a reader looks for first. Fields
/// that are 0 say nothing in most requests; `size` and `offset` belong together; names stand for
/// themselves; flags are put in brackets.
final class Headline {

    private Headline() {}

    static String of(RequestDecoded request) {
        List<String> parts = new ArrayList<>();
        if (request.sender().nodeid() != 0) {
            parts.add("nodeid " + Long.toUnsignedString(request.sender().nodeid()));
        }
        List<Field> fields = request.fields();
        boolean range = value(fields, "size").isPresent() && value(fields, "offset").isPresent();
        for (Field field : fields) {
            if (range && field.name().equals("size")) {
                parts.add(field.value() + " bytes at " + value(fields, "offset").orElseThrow());
            } else if (!(range && (field.name().equals("offset") || field.name().equals("data")))) {
                word(field).ifPresent(parts::add);
            }
        }
        return String.join("  ", parts);
    }

    private static Optional<String> value(List<Field> fields, String name) {
        return fields.stream()
                .filter(field -> field.name().equals(name))
                .map(Field::value)
                .findFirst();
    }

    private static Optional<String> word(Field field) {
        boolean says = field.name().equals("fh") || !isNothing(field.value());
        if (!says || field.name().equals("into") || field.name().equals("lock_owner")) {
            return Optional.empty(); // the room for the reply and the guest's own number: only the bytes tell
        }
        if (field.value().startsWith("\"")) {
            return Optional.of(field.name().equals("name") ? field.value() : field.name() + " " + field.value());
        }
        return Optional.of(
                field.name().endsWith("flags") && !Character.isDigit(field.value().charAt(0))
                        ? "[" + field.value() + "]"
                        : field.name() + " " + field.value());
    }

    private static boolean isNothing(String value) {
        return value.isEmpty() || value.equals("0") || value.equals("0 bytes") || value.equals("[]");
    }
}
