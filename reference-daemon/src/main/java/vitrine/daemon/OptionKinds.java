package vitrine.daemon;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/// The kinds of options that a daemon has, in picocli's terms.
final class OptionKinds {

    private final CommandSpec spec;

    OptionKinds(CommandSpec spec) {
        this.spec = spec;
    }

    /// What has a value of its own type.
    void value(String name, String label, Class<?> type, String description) {
        spec.addOption(option(name)
                .paramLabel(label)
                .type(type)
                .description(description)
                .build());
    }

    /// What is off unless one says it.
    void yes(String name, String description) {
        spec.addOption(option(name).description(description).build());
    }

    /// What is off, or on; either can be said.
    void yesOrNo(String name, String description) {
        spec.addOption(option(name).negatable(true).description(description).build());
    }

    /// What may be said more than once, and means all of it.
    void rules(String name, String description) {
        spec.addOption(option(name)
                .paramLabel("RULE")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(description)
                .build());
    }

    /// What may be wanted, or not be done without, see [Demand].
    void demand(String name, String description) {
        OptionSpec.Builder option = option(name)
                .paramLabel("WHEN")
                .arity("0..1")
                .fallbackValue(Demand.ALWAYS.name())
                .type(Demand.class)
                .converters(text -> constant(Demand.class, text))
                .description(description);
        spec.addOption(option.build());
    }

    /// What is on unless one says no. picocli wants such an option to be called by its negation.
    void noOrYes(String name, String description) {
        spec.addOption(option(name)
                .negatable(true)
                .defaultValue("true")
                .description(description)
                .build());
    }

    /// What is of none of the kinds here; a flag, until told otherwise.
    static OptionSpec.Builder option(String... names) {
        return OptionSpec.builder(names).type(Boolean.class);
    }

    /// One of the constants of an enum, in any case, or another word for one (`word=constant`).
    <E extends Enum<E>> void choice(String name, Class<E> type, String description, String... otherWords) {
        Map<String, String> constants = Arrays.stream(otherWords)
                .map(word -> word.split("="))
                .collect(Collectors.toMap(word -> word[0], word -> word[1]));
        spec.addOption(option(name)
                .paramLabel("MODE")
                .type(type)
                .converters(text -> constant(type, constants.getOrDefault(text.toLowerCase(Locale.ROOT), text)))
                .description(description)
                .build());
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String text) {
        try {
            return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException _) {
            String words = Arrays.stream(type.getEnumConstants())
                    .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", "));
            throw new TypeConversionException("'" + text + "' is none of " + words);
        }
    }
}
