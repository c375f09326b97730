package vitrine.visualizer.timeline;

import java.util.Arrays;
import java.util.LinkedHashSet;
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

    private static final int FEW_FLAGS = 6;

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

    /// A digest that stands beside another: of a long list of flags, only how many both have, and
    /// those that the other one has not.
    public static String beside(String digest, String other) {
        List<String> words = Arrays.asList(other.split(" "));
        return Arrays.stream(digest.split(" "))
                .map(word ->
                        word.chars().filter(letter -> letter == '|').count() < FEW_FLAGS ? word : flags(word, words))
                .collect(Collectors.joining(" "));
    }

    private static String flags(String word, List<String> others) {
        Set<String> all = new LinkedHashSet<>(Arrays.asList(word.split("\\|")));
        Set<String> own = new LinkedHashSet<>(all);
        others.forEach(other -> Arrays.asList(other.split("\\|")).forEach(own::remove));
        boolean alone = own.size() == all.size();
        return alone
                ? all.size() + " flags"
                : all.size() - own.size() + " flags" + (own.isEmpty() ? "" : "|" + String.join("|", own));
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
