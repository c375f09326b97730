package vitrine.guest.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.ReplyGiven;
import vitrine.trace.TraceEvent.RequestDecoded;

/// What a request or a reply says, in a few words, whatever its opcode.
///
/// All fields are in the event; here it is decided which of them a reader looks for. Fields that
/// are 0 say nothing in most requests; `size` and `offset` belong together; a name stands for
/// itself and first; flags are put in brackets.
final class Headline {

    /// The room for a reply, and numbers that only the guest can read.
    private static final Set<String> SELDOM_ASKED_FOR = Set.of("into", "lock_owner");

    /// Attributes that differ from run to run, or follow from others.
    private static final Set<String> ATTRIBUTES_SELDOM_ASKED_FOR = Set.of(
            "ino", "blocks", "blksize", "generation", "atime", "mtime", "ctime", "atimensec", "mtimensec", "ctimensec");

    private Headline() {}

    static String of(RequestDecoded request) {
        List<String> parts = new ArrayList<>();
        if (request.sender().nodeid() != 0) {
            parts.add("nodeid " + Long.toUnsignedString(request.sender().nodeid()));
        }
        List<Field> fields = request.fields();
        boolean range =
                value(fields, "size").isPresent() && value(fields, "offset").isPresent();
        value(fields, "name").ifPresent(parts::add);
        for (Field field : fields) {
            if (range && field.name().equals("size")) {
                parts.add(field.value() + " bytes at " + value(fields, "offset").orElseThrow());
            } else if (!(range && (field.name().equals("offset") || field.name().equals("data")))) {
                word(request.opcode(), field).ifPresent(parts::add);
            }
        }
        return String.join("  ", parts);
    }

    static String of(ReplyGiven reply) {
        return String.join(
                "  ",
                reply.fields().stream()
                        .filter(field -> !ATTRIBUTES_SELDOM_ASKED_FOR.contains(field.name()))
                        .filter(field ->
                                !isNothing(field.value()) || field.name().equals("fh"))
                        .map(field -> field.name() + " " + field.value())
                        .toList());
    }

    private static Optional<String> value(List<Field> fields, String name) {
        return fields.stream()
                .filter(field -> field.name().equals(name))
                .map(Field::value)
                .findFirst();
    }

    private static Optional<String> word(String opcode, Field field) {
        String name = field.name();
        String value = field.value();
        // GETATTR and SETATTR need no open file, and then say 0.
        boolean handle = name.equals("fh") && !opcode.endsWith("ATTR");
        if (isNothing(value) && !handle || name.equals("name") || SELDOM_ASKED_FOR.contains(name)) {
            return Optional.empty();
        }
        boolean namedFlags = name.endsWith("flags") && !Character.isDigit(value.charAt(0));
        return Optional.of(namedFlags ? "[" + value + "]" : name + " " + value);
    }

    private static boolean isNothing(String value) {
        return value.isEmpty() || value.equals("0") || value.equals("0 bytes") || value.equals("[]");
    }
}
