package vitrine.guest.cost;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import vitrine.trace.TraceEvent;

/// What things cost: microseconds, from a text file.
///
/// ```
///   # a comment
///   kick           2.5 µs      # what comes behind it is one too
///   [001]                      # a source: what was otherwise there
///   device.wake    20 µs
/// ```
public final class CostTable {

    private static final String USUAL = "costs.txt";
    private static final String UNIT = "µs";
    private static final Set<String> NAMES = Set.of(
            "guest.call",
            "guest.request",
            "guest.wake",
            "kick",
            "device.wake",
            "device.request",
            "device.threads",
            "descriptor",
            "call",
            "copy",
            "host.call");

    private final Map<String, Double> costs;
    private final double factor;

    private CostTable(Map<String, Double> costs, double factor) {
        this.costs = Map.copyOf(costs);
        this.factor = factor;
    }

    /// The usual table, for a machine of some source or any.
    ///
    /// @param source a section of the file, or empty for what holds everywhere
    public static CostTable of(String source) {
        try (InputStream file = CostTable.class.getResourceAsStream(USUAL)) {
            return parse(
                    new String(file.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList(),
                    source);
        } catch (IOException e) {
            throw new UncheckedIOException(USUAL, e);
        }
    }

    /// A table from the lines of such a file.
    ///
    /// @throws IllegalArgumentException saying which line is wrong, and how
    public static CostTable parse(List<String> lines, String source) {
        Map<String, Double> costs = new TreeMap<>();
        String section = "";
        boolean found = source.isEmpty();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (line.startsWith("[")) {
                section = line.substring(1, line.length() - 1);
                found |= section.equals(source);
            } else if (!line.isEmpty()) {
                Line read = Line.of(line, i + 1);
                if (section.isEmpty() || section.equals(source)) {
                    costs.put(read.name, read.micros);
                }
            }
        }
        if (!found) {
            throw new IllegalArgumentException("the table of costs has no section [" + source + "]");
        }
        for (String name : NAMES) {
            if (!costs.containsKey(name)) {
                throw new IllegalArgumentException("the table of costs does not say what " + name + " costs");
            }
        }
        return new CostTable(costs, 1);
    }

    private record Line(String name, double micros) {

        static Line of(String line, int number) {
            String[] words = line.split("\\s+");
            boolean plain = words.length == 2 && words[0].equals("device.threads");
            if (!plain && (words.length != 3 || !words[2].equals(UNIT))) {
                throw new IllegalArgumentException("costs, line " + number + ": expected NAME NUMBER µs, not: " + line);
            }
            if (!NAMES.contains(words[0]) && !words[0].startsWith("host.")) {
                throw new IllegalArgumentException("costs, line " + number + ": nothing is called " + words[0]);
            }
            try {
                return new Line(words[0], Double.parseDouble(words[1]));
            } catch (NumberFormatException _) {
                throw new IllegalArgumentException("costs, line " + number + ": " + words[1] + " is no number");
            }
        }
    }

    /// The same for a machine on which everything takes so many times as long.
    public CostTable times(double slower) {
        return new CostTable(costs, factor * slower);
    }

    /// Microseconds of something that every table has, such as `kick`.
    public double micros(String name) {
        return costs.get(name) * factor;
    }

    /// How many requests the daemon serves at once.
    int deviceThreads() {
        return (int) Math.round(costs.get("device.threads"));
    }

    /// How long the device works on a request, from the ring to the ring.
    public double service(Entry entry) {
        double micros = micros("device.request")
                + entry.descriptors() * micros("descriptor")
                + (entry.copied() + entry.bounced()) / 1024.0 * micros("copy");
        return micros + hostCalls(entry);
    }

    /// How long its system calls take, without the data that they move.
    public double hostCalls(Entry entry) {
        double micros = 0;
        for (Map.Entry<String, Long> call : entry.hostCalls().entrySet()) {
            micros += hostCall(call.getKey()) * call.getValue();
        }
        return micros;
    }

    private double hostCall(String name) {
        return costs.getOrDefault("host." + name, costs.get("host.call")) * factor;
    }

    /// How long one of them takes, with the data that it moves.
    public double hostCall(TraceEvent.HostCall call) {
        return hostCall(call.name()) + Ledger.moved(call) / 1024.0 * micros("copy");
    }
}
