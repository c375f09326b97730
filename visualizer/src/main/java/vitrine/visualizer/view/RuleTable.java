package vitrine.visualizer.view;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import vitrine.guest.kernel.rule.Background;
import vitrine.guest.kernel.rule.DataPath;
import vitrine.guest.kernel.rule.Flushing;
import vitrine.guest.kernel.rule.Freshness;
import vitrine.guest.kernel.rule.Killing;
import vitrine.guest.kernel.rule.QueueChoice;
import vitrine.guest.kernel.rule.Rule;
import vitrine.guest.kernel.rule.WindowUse;
import vitrine.posix.Stat;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.GuestDecision;

/// A rule of the guest's kernel as a table of all that can come of it: found out by applying the
/// rule itself to all its inputs, not written down anywhere.
///
/// @param inputs what the rule looks at
/// @param now each of them as it was; empty for one that a trace does not tell
/// @param lines in the order in which the inputs are looked at
/// @param taken the number of the line that was taken, -1 if nobody can tell
record RuleTable(List<String> inputs, List<String> now, List<Line> lines, int taken) {

    private static final int LARGEST = 4096; // combinations of inputs
    private static final List<Class<?>> RULES = Stream.of(
                    DataPath.class,
                    Killing.class,
                    Freshness.class,
                    Flushing.class,
                    QueueChoice.class,
                    Background.class,
                    WindowUse.class)
            .flatMap(family -> Stream.concat(Stream.of(family), Arrays.stream(family.getDeclaredClasses())))
            .filter(type -> type.isRecord() && Rule.class.isAssignableFrom(type))
            .collect(Collectors.toUnmodifiableList());

    /// A line of the table.
    ///
    /// @param conditions for each input the values for which it is good; empty for any
    record Line(List<List<String>> conditions, String outcome) {

        boolean allows(int input, String value) {
            List<String> values = conditions.get(input);
            return values.isEmpty() || value.isEmpty() || values.contains(value);
        }
    }

    /// Which values an input may have, and how they are called.
    private record Domain(String name, List<Object> values, String now) {

        static Domain of(RecordComponent input, Optional<Field> told) {
            String name = told.map(Field::name).orElse(spaced(input));
            String now = told.map(Field::value).orElse("");
            Class<?> type = input.getType();
            if (type == boolean.class) {
                return new Domain(name, List.of(true, false), now);
            }
            if (type.isEnum()) {
                return new Domain(name, List.of(type.getEnumConstants()), now);
            }
            if (name.equals("mode") && now.matches("[0-7]{1,5}")) {
                int mode = Stat.S_IFREG | Integer.parseInt(now, 8);
                int[] others = {Stat.S_IFREG | 04755, Stat.S_IFREG | 02755, Stat.S_IFREG | 02745, Stat.S_IFREG | 0755};
                List<Object> modes = IntStream.concat(IntStream.of(mode), IntStream.of(others))
                        .distinct()
                        .mapToObj(each -> (Object) each)
                        .toList();
                return new Domain(name, modes, now);
            }
            return new Domain(
                    name, now.matches("\\d{1,9}") ? numbers(name, Integer.parseInt(now), type) : List.of(), now);
        }

        /// A number is as it was; of what is free, and of a file's size, it matters whether it is
        /// 0.
        private static List<Object> numbers(String name, int now, Class<?> type) {
            int other = name.equals("free") || name.equals("size") ? now == 0 ? 1 : 0 : now;
            return IntStream.of(now, other)
                    .distinct()
                    .mapToObj(number -> type == long.class ? (Object) (long) number : (Object) number)
                    .toList();
        }

        /// A value, as a trace says it.
        String said(Object value) {
            return name.equals("mode") && value instanceof Integer mode ? "%04o".formatted(mode & 07777) : words(value);
        }
    }

    /// The table of a decision; of one whose rule is not known, only what it looked at.
    static RuleTable of(GuestDecision decision) {
        List<String> told = inputs(decision);
        for (Class<?> rule : RULES) {
            List<Domain> domains = domains(rule, told);
            int size = domains.stream().mapToInt(domain -> domain.values.size()).reduce(1, (a, b) -> a * b);
            if (size > 0 && size <= LARGEST && title(rule, domains).equals(decision.rule())) {
                return table(rule, domains, decision.outcome());
            }
        }
        Line only = new Line(told.stream().map(_ -> List.<String>of()).toList(), decision.outcome());
        return new RuleTable(
                told.stream().map(each -> each.replaceFirst(" \\S+$", "")).toList(),
                told.stream().map(each -> each.replaceFirst("^.* ", "")).toList(),
                List.of(only),
                0);
    }

    /// Each input as name and value, however the kernel lists them.
    private static List<String> inputs(GuestDecision decision) {
        return decision.inputs().stream()
                .flatMap(input -> input.name().equals("inputs")
                        ? Stream.of(input.value().split(", "))
                        : Stream.of(input.name() + " " + input.value()))
                .filter(input -> !input.isBlank())
                .toList();
    }

    /// One for each input of the rule, if all that was told is an input of it.
    private static List<Domain> domains(Class<?> rule, List<String> told) {
        List<Domain> domains = new ArrayList<>();
        int found = 0;
        for (RecordComponent input : rule.getRecordComponents()) {
            Optional<Field> field =
                    told.stream().flatMap(each -> field(input, each).stream()).findFirst();
            found += field.isPresent() ? 1 : 0;
            domains.add(Domain.of(input, field));
        }
        return found == told.size() ? domains : List.of(new Domain("", List.of(), ""));
    }

    /// What was told, if it is about this input: `V2 no` is about `killprivV2`.
    private static Optional<Field> field(RecordComponent input, String told) {
        String name = spaced(input);
        if (told.startsWith(name + " ")) {
            return Optional.of(new Field(name, told.substring(name.length() + 1)));
        }
        int blank = Math.max(0, told.lastIndexOf(' '));
        String about = squeezed(told.substring(0, blank));
        return !about.isEmpty() && squeezed(name).endsWith(about)
                ? Optional.of(new Field(told.substring(0, blank), told.substring(blank + 1)))
                : Optional.empty();
    }

    private static String spaced(RecordComponent input) {
        return input.getName().replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    /// `capFsetid` and `CAP_FSETID` are the same.
    private static String squeezed(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    private static String title(Class<?> rule, List<Domain> domains) {
        return made(
                        rule,
                        domains.stream().map(domain -> domain.values.getFirst()).toArray())
                .title();
    }

    private static RuleTable table(Class<?> rule, List<Domain> domains, String outcome) {
        List<Line> lines = lines(rule, domains, new Object[domains.size()], 0);
        List<String> now = domains.stream().map(Domain::now).toList();
        int taken = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).outcome().equals(outcome))
                .filter(i -> IntStream.range(0, now.size())
                        .allMatch(input -> lines.get(i).allows(input, now.get(input))))
                .findFirst()
                .orElse(-1);
        return new RuleTable(domains.stream().map(Domain::name).toList(), now, lines, taken);
    }

    /// Looks at one input after the other; values from which the same follows share a line.
    private static List<Line> lines(Class<?> rule, List<Domain> domains, Object[] values, int input) {
        if (input == values.length) {
            return List.of(new Line(List.of(), words(made(rule, values).outcome())));
        }
        Map<List<Line>, List<String>> byConsequence = new LinkedHashMap<>();
        for (Object value : domains.get(input).values) {
            values[input] = value;
            byConsequence
                    .computeIfAbsent(lines(rule, domains, values, input + 1), _ -> new ArrayList<>())
                    .add(domains.get(input).said(value));
        }
        boolean matters = byConsequence.size() > 1;
        List<Line> lines = new ArrayList<>();
        byConsequence.forEach((rest, here) -> rest.forEach(line -> {
            List<List<String>> conditions = new ArrayList<>();
            conditions.add(matters ? here : List.of());
            conditions.addAll(line.conditions);
            lines.add(new Line(conditions, line.outcome));
        }));
        return lines;
    }

    private static Rule<?> made(Class<?> rule, Object[] values) {
        try {
            return (Rule<?>) rule.getConstructors()[0].newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(rule + " is a rule that cannot be made", e);
        }
    }

    /// As a trace says it.
    private static String words(Object value) {
        return switch (value) {
            case Boolean yes -> yes ? "yes" : "no";
            case Enum<?> choice -> choice.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            default -> value.toString();
        };
    }
}
