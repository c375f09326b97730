package vitrine.guest.kernel.rule;

import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.StringJoiner;

/// Inputs and outcomes as a trace shows them.
final class Words {

    private Words() {}

    /// The components of a rule, which is a public record: "dax no, fopen direct io yes".
    static String ofComponents(Rule<?> rule) {
        StringJoiner words = new StringJoiner(", ");
        for (RecordComponent input : rule.getClass().getRecordComponents()) {
            String name = input.getName().replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
            words.add(name + " " + of(value(rule, input)));
        }
        return words.toString();
    }

    private static Object value(Rule<?> rule, RecordComponent input) {
        try {
            return input.getAccessor().invoke(rule);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A value.
    static String of(Object value) {
        return switch (value) {
            case Boolean yes -> yes ? "yes" : "no";
            case Enum<?> choice -> choice.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            default -> value.toString();
        };
    }
}
