package vitrine.visualizer.view;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import vitrine.guest.kernel.rule.DataPath;
import vitrine.guest.kernel.rule.Killing;
import vitrine.guest.kernel.rule.Rule;
import vitrine.trace.TraceEvent.Field;

/// What would have come of a decision if one of its inputs had been the other way round: found out
/// by applying the guest's own rule once more, not written down anywhere.
///
/// It works for rules whose inputs are all yes or no, and that a trace tells in full.
final class WhatIf {

    private static final List<Class<?>> RULES = Stream.of(DataPath.class, Killing.class)
            .flatMap(family -> Arrays.stream(family.getDeclaredClasses()))
            .filter(Class::isRecord)
            .filter(rule ->
                    Arrays.stream(rule.getRecordComponents()).allMatch(input -> input.getType() == boolean.class))
            .toList();

    private WhatIf() {}

    /// By input, in their order: what would come of it, empty where nothing else would, or where
    /// nobody can tell.
    static List<String> of(String title, List<Field> inputs) {
        for (Class<?> rule : RULES) {
            Optional<Object[]> values = values(rule, inputs);
            if (values.isPresent() && made(rule, values.get()).title().equals(title)) {
                return others(rule, values.get());
            }
        }
        return inputs.stream().map(_ -> "").toList();
    }

    /// The inputs as the rule's record takes them, if they are its inputs.
    private static Optional<Object[]> values(Class<?> rule, List<Field> inputs) {
        RecordComponent[] components = rule.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName().replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
            if (inputs.size() != components.length || !inputs.get(i).name().equals(name)) {
                return Optional.empty();
            }
            values[i] = inputs.get(i).value().equals("yes");
        }
        return Optional.of(values);
    }

    private static List<String> others(Class<?> rule, Object[] values) {
        String outcome = words(made(rule, values).outcome());
        List<String> others = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Object[] flipped = values.clone();
            flipped[i] = !(boolean) values[i];
            String other = words(made(rule, flipped).outcome());
            others.add(other.equals(outcome) ? "" : other);
        }
        return others;
    }

    private static Rule<?> made(Class<?> rule, Object[] values) {
        try {
            Constructor<?> constructor = rule.getConstructors()[0];
            return (Rule<?>) constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(rule + " is a rule that cannot be made", e);
        }
    }

    /// As a trace says it.
    private static String words(Object outcome) {
        return switch (outcome) {
            case Boolean yes -> yes ? "yes" : "no";
            case Enum<?> choice -> choice.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            default -> outcome.toString();
        };
    }
}
