package vitrine.passthrough.translation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// Which number a user of the guest's has on the host, and back (`--translate-uid`); or a group.
///
/// | rule | from the guest | from the host |
/// |---|---|---|
/// | `map:GUEST:HOST:COUNT` | one to one | one to one |
/// | `guest:GUEST:HOST:COUNT` | one to one | |
/// | `host:HOST:GUEST:COUNT` | | one to one |
/// | `squash-guest:GUEST:HOST:COUNT` | all to one | |
/// | `squash-host:HOST:GUEST:COUNT` | | all to one |
/// | `forbid-guest:GUEST:COUNT` | `EPERM` | |
///
/// A number that is in no rule stays as it is, and so does -1, which is nobody.
///
/// @param fromGuest ranges of the guest's numbers, none in two of them
/// @param fromHost the same of the host's
public record IdMap(List<Range> fromGuest, List<Range> fromHost) {

    /// All numbers are the same on both sides.
    public static final IdMap SAME = new IdMap(List.of(), List.of());

    private static final long NOBODY = 0xffff_ffffL;

    /// Numbers that belong together.
    ///
    /// @param target what the first of them becomes
    /// @param squash whether all become what the first does
    /// @param forbidden whether they become nothing
    public record Range(long first, long count, long target, boolean squash, boolean forbidden) {

        /// Whether this one is among those that are translated.
        public boolean contains(long id) {
            return id >= first && id < first + count;
        }

        private boolean overlaps(Range other) {
            return first < other.first + other.count && other.first < first + count;
        }

        private int translate(long id) {
            return (int) (squash ? target : target + (id - first));
        }
    }

    /// Whether all numbers are the same on both sides.
    public boolean isSame() {
        return fromGuest.isEmpty() && fromHost.isEmpty();
    }

    /// Reads rules as they are written on the command line.
    ///
    /// @throws IllegalArgumentException saying which rule is wrong, and why
    public static IdMap parse(List<String> rules) {
        List<Range> fromGuest = new ArrayList<>();
        List<Range> fromHost = new ArrayList<>();
        for (String rule : rules) {
            String type = rule.replaceFirst("[^A-Za-z0-9_-].*", "");
            List<Long> numbers = numbers(rule, type);
            switch (type.toLowerCase(Locale.ROOT)) {
                case "map" -> {
                    add(fromGuest, rule, numbers, false);
                    add(fromHost, rule, List.of(numbers.get(1), numbers.get(0), numbers.get(2)), false);
                }
                case "guest" -> add(fromGuest, rule, numbers, false);
                case "host" -> add(fromHost, rule, numbers, false);
                case "squash-guest" -> add(fromGuest, rule, numbers, true);
                case "squash-host" -> add(fromHost, rule, numbers, true);
                default -> forbid(fromGuest, rule, numbers);
            }
        }
        return new IdMap(List.copyOf(fromGuest), List.copyOf(fromHost));
    }

    private static List<Long> numbers(String rule, String type) {
        int expected = switch (type.toLowerCase(Locale.ROOT)) {
            case "map", "guest", "host", "squash-guest", "squash-host" -> 3;
            case "forbid-guest" -> 2;
            default ->
                throw wrong(rule, "the type is one of map, guest, host, squash-guest, squash-host, forbid-guest");
        };
        String rest = rule.substring(type.length());
        String separator = rest.isEmpty() ? ":" : rest.substring(0, 1);
        List<Long> numbers = new ArrayList<>();
        for (String word : rest.isEmpty() ? new String[0] : rest.substring(1).split(Pattern.quote(separator), -1)) {
            if (!word.matches("\\d{1,10}") || Long.parseLong(word) > NOBODY) {
                throw wrong(rule, "'" + word + "' is no number from 0 to 4294967295");
            }
            numbers.add(Long.parseLong(word));
        }
        if (numbers.size() != expected) {
            throw wrong(rule, expected + " numbers are expected, not " + numbers.size());
        }
        return numbers;
    }

    private static void add(List<Range> ranges, String rule, List<Long> numbers, boolean squash) {
        Range range = new Range(numbers.get(0), numbers.get(2), numbers.get(1), squash, false);
        if (range.target + (squash ? 1 : range.count) > NOBODY) {
            throw wrong(rule, "the last number is 4294967294");
        }
        add(ranges, rule, range);
    }

    private static void forbid(List<Range> ranges, String rule, List<Long> numbers) {
        add(ranges, rule, new Range(numbers.get(0), numbers.get(1), 0, false, true));
    }

    private static void add(List<Range> ranges, String rule, Range range) {
        if (range.first + range.count > NOBODY) {
            throw wrong(rule, "the last number is 4294967294");
        }
        Optional<Range> other = ranges.stream().filter(range::overlaps).findAny();
        if (other.isPresent()) {
            throw wrong(
                    rule,
                    "the rule for " + other.get().first + " to " + (other.get().first + other.get().count - 1)
                            + " has some of its numbers already");
        }
        ranges.add(range);
    }

    private static IllegalArgumentException wrong(String rule, String why) {
        return new IllegalArgumentException(rule + ": " + why);
    }

    /// The number on the host.
    ///
    /// @throws ErrnoException `EPERM` if it is forbidden
    public int toHost(int guestId) throws ErrnoException {
        long id = Integer.toUnsignedLong(guestId);
        for (Range range : fromGuest) {
            if (range.contains(id)) {
                if (range.forbidden) {
                    throw new ErrnoException("the guest's id " + id, Errno.EPERM);
                }
                return range.translate(id);
            }
        }
        return guestId;
    }

    /// The number in the guest.
    public int toGuest(int hostId) {
        long id = Integer.toUnsignedLong(hostId);
        for (Range range : fromHost) {
            if (range.contains(id)) {
                return range.translate(id);
            }
        }
        return hostId;
    }
}
