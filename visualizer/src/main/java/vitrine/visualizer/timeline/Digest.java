package vitrine.visualizer.timeline;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vitrine.trace.TraceEvent.Field;

/// A request in the words that say what was asked, without those that differ from run to run.
public final class Digest {

    private static final Set<String> LEFT_OUT =
            Set.of("fh", "fh_in", "fh_out", "lock_owner", "into", "data", "read_flags");
    private static final Set<String> NOTHING = Set.of("", "0", "00", "0x0", "none", "[]", "0 bytes");

    private Digest() {}

    /// Such as `WRITE offset 4096 size 4096 KILL_SUIDGID`; of a system call without a request, its
    /// name.
    public static String of(Run run, Story story) {
        if (!story.isRequest()) {
            return run.name(story.begin());
        }
        List<Field> fields = run.stories()
                .request(story.number())
                .map(n -> Message.of(run, n).fields())
                .orElse(List.of());
        boolean opens = List.of("INIT", "OPEN", "OPENDIR", "CREATE").contains(story.opcode());
        Stream<Field> telling =
                fields.stream().filter(field -> opens || !field.name().equals("flags"));
        return Stream.concat(Stream.of(story.opcode()), telling.flatMap(Digest::word))
                .collect(Collectors.joining(" "));
    }

    private static Stream<String> word(Field field) {
        String value = field.value();
        if (LEFT_OUT.contains(field.name()) || NOTHING.contains(value)) {
            return Stream.empty();
        }
        boolean speaksForItself =
                field.name().endsWith("name") || field.name().endsWith("flags") && !Character.isDigit(value.charAt(0));
        return Stream.of(speaksForItself ? value.replace("\"", "") : field.name() + " " + value);
    }
}
