package vitrine.daemon;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.function.BiConsumer;

/// The log: lines on standard error, for whoever started the daemon to keep. Not too many:
/// [LineQuota].
///
/// Java's own logging would work as well, but it takes longer to start than the daemon may. Found
/// by [System#getLogger] through the service file in `META-INF`.
public final class StandardErrorLog extends System.LoggerFinder {

    private static final LineQuota QUOTA = new LineQuota(System::nanoTime);

    private static volatile System.Logger.Level least = System.Logger.Level.INFO;
    private static volatile BiConsumer<System.Logger.Level, String> lines = (_, line) -> System.err.println(line);

    /// Made by the service loader.
    public StandardErrorLog() {}

    /// Sets how important a line must be.
    ///
    /// @param name error, warn, info, debug, trace or off
    /// @throws IllegalArgumentException for any other name
    static void setLevel(String name) {
        least = switch (name.toLowerCase(Locale.ROOT)) {
            case "error", "err" -> System.Logger.Level.ERROR;
            case "warn", "warning" -> System.Logger.Level.WARNING;
            case "info" -> System.Logger.Level.INFO;
            case "debug" -> System.Logger.Level.DEBUG;
            case "trace" -> System.Logger.Level.TRACE;
            case "off" -> System.Logger.Level.OFF;
            default ->
                throw new IllegalArgumentException("--log-level=" + name + ": error, warn, info, debug, trace or off");
        };
    }

    /// Sends the log elsewhere.
    ///
    /// @param sink gets each line and how important it is
    static void divertTo(BiConsumer<System.Logger.Level, String> sink) {
        lines = sink;
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Lines(name);
    }

    private record Lines(String name) implements System.Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return level != Level.OFF && level.getSeverity() >= least.getSeverity();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            if (isLoggable(level) && QUOTA.take()) {
                long leftOut = QUOTA.leftOut();
                if (leftOut > 0) {
                    lines.accept(level, name + ": " + leftOut + " lines were left out");
                }
                lines.accept(level, name + ": " + level.getName().toLowerCase(Locale.ROOT) + ": " + message);
                if (thrown != null) {
                    StringWriter stack = new StringWriter();
                    thrown.printStackTrace(new PrintWriter(stack));
                    stack.toString().lines().forEach(line -> lines.accept(level, line));
                }
            }
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            if (isLoggable(level)) {
                log(level, bundle, filledIn(format, parameters), (Throwable) null);
            }
        }

        /// Puts the parameters where the format says `{0}`, `{1}` and so on. `MessageFormat` can do
        /// much more, and takes longer to load than the rest of the log.
        private static String filledIn(String format, Object... parameters) {
            String text = format;
            for (int i = 0; parameters != null && i < parameters.length; i++) {
                text = text.replace("{" + i + "}", String.valueOf(parameters[i]));
            }
            return text;
        }
    }
}
