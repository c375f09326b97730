package vitrine.daemon;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import vitrine.migration.MigrationOptions;
import vitrine.migration.MigrationOptions.Mode;
import vitrine.migration.MigrationOptions.OnError;

/// The options about moving a guest to another daemon: what `--help` says of them, and what they
/// are this time.
final class MigrationSyntax {

    private static final String MODE = "--migration-mode";
    private static final String ON_ERROR = "--migration-on-error";
    private static final String VERIFY = "--migration-verify-handles";
    private static final String CONFIRM = "--migration-confirm-paths";

    private MigrationSyntax() {}

    /// Adds them to those of the daemon.
    static void addTo(CommandSpec spec) {
        choice(
                spec,
                MODE,
                Mode.class,
                "How files are found again when the guest moves to another daemon: find-paths, by their paths, also"
                        + " in a copy; file-handles, by what the file system calls them, whatever their names are by"
                        + " then (needs CAP_DAC_READ_SEARCH, and both daemons started so). Default: find-paths.");
        choice(
                spec,
                ON_ERROR,
                OnError.class,
                "What becomes of a guest that comes with files that are not found: abort, it goes on where it was;"
                        + " guest-error, it moves and cannot use them. Default: abort.");
        flag(
                spec,
                VERIFY,
                "Send file handles beside paths, so that another file of the same name is not taken for the one.");
        flag(spec, CONFIRM, "Walk along each path before it is sent: others may rename files at that moment.");
    }

    /// What the command line says.
    static MigrationOptions of(ParseResult given) {
        MigrationOptions usual = MigrationOptions.DEFAULT;
        return new MigrationOptions(
                given.matchedOptionValue(MODE, usual.mode()),
                given.matchedOptionValue(ON_ERROR, usual.onError()),
                given.matchedOptionValue(VERIFY, usual.verifyHandles()),
                given.matchedOptionValue(CONFIRM, usual.confirmPaths()));
    }

    private static <E extends Enum<E>> void choice(CommandSpec spec, String name, Class<E> type, String description) {
        ITypeConverter<E> converter = text -> Arrays.stream(type.getEnumConstants())
                .filter(constant -> spelled(constant).equalsIgnoreCase(text))
                .findAny()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of " + words(type)));
        spec.addOption(OptionSpec.builder(name)
                .paramLabel("MODE")
                .type(type)
                .converters(converter)
                .description(description)
                .build());
    }

    private static void flag(CommandSpec spec, String name, String description) {
        spec.addOption(OptionSpec.builder(name)
                .type(Boolean.class)
                .description(description)
                .build());
    }

    private static String spelled(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String words(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(MigrationSyntax::spelled)
                .collect(Collectors.joining(", "));
    }
}
