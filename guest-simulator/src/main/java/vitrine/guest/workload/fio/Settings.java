package vitrine.guest.workload.fio;

import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Options of a job, as values. It notes which were asked for: what is left in the end, nobody here
/// knows, and it is refused.
final class Settings {

    private static final Pattern SIZE = Pattern.compile("(0[xX][0-9a-fA-F]+|[0-9]+)\\s*([kmgtp]?)(i?)(b?)");
    private static final Pattern TIME = Pattern.compile("([0-9]+)\\s*([a-z]*)");
    private static final String UNITS = "kmgtp";

    private final Map<String, String> options;
    private final Set<String> left;

    Settings(Map<String, String> options) {
        this.options = options;
        left = new HashSet<>(options.keySet());
    }

    boolean has(String name) {
        return options.containsKey(name);
    }

    String text(String name, String otherwise) {
        left.remove(name);
        return options.getOrDefault(name, otherwise);
    }

    /// On or off; on, if there is no value.
    boolean flag(String name, boolean otherwise) throws FioUsageException {
        String value = text(name, otherwise ? "1" : "0");
        return switch (value) {
            case "", "1" -> true;
            case "0" -> false;
            default -> throw wrong(name, value, "0 or 1");
        };
    }

    int number(String name, int otherwise, int least, int most) throws FioUsageException {
        long value = bytes(name, otherwise);
        if (value < least || value > most) {
            throw wrong(name, text(name, ""), least + " to " + most);
        }
        return (int) value;
    }

    /// A number of bytes. `k` and `kb` are 1024, and `kib` is 1000: that is how fio has it unless
    /// it is told otherwise.
    long bytes(String name, long otherwise) throws FioUsageException {
        String value = text(name, Long.toString(otherwise));
        Matcher size = SIZE.matcher(value.toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            throw wrong(name, value, "a whole number, with k, m, g, t or p behind it");
        }
        boolean decimal = !size.group(2).isEmpty()
                && !size.group(3).isEmpty()
                && !size.group(4).isEmpty();
        try {
            long number = Long.decode(size.group(1).replaceFirst("^0+(?=[0-9])", ""));
            int power = size.group(2).isEmpty() ? 0 : UNITS.indexOf(size.group(2)) + 1;
            for (int i = 0; i < power; i++) {
                number = Math.multiplyExact(number, decimal ? 1000L : 1024L);
            }
            return number;
        } catch (ArithmeticException | NumberFormatException e) {
            throw wrong(name, value, "less than 2^63");
        }
    }

    /// A time; seconds, if there is no unit. Null if there is none.
    Duration time(String name) throws FioUsageException {
        String value = text(name, null);
        if (value == null) {
            return null;
        }
        Matcher time = TIME.matcher(value);
        if (!time.matches() || time.group(1).length() > 9) {
            throw wrong(name, value, "a number, with us, ms, s, m, h or d behind it");
        }
        long number = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "us" -> Duration.ofNanos(number * 1000);
            case "ms" -> Duration.ofMillis(number);
            case "", "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> throw wrong(name, value, "a number, with us, ms, s, m, h or d behind it");
        };
    }

    /// @throws FioUsageException if there is an option that nobody has asked for
    void requireNothingLeft() throws FioUsageException {
        for (String name : options.keySet()) {
            if (left.contains(name)) {
                throw new FioUsageException("fio's option --" + name + " is not done here");
            }
        }
    }

    static FioUsageException wrong(String name, String value, String expected) {
        return new FioUsageException("--" + name + "=" + value + ": expected " + expected);
    }
}
