package vitrine.guest.experiment;

import java.util.ArrayList;
import java.util.List;
import vitrine.guest.cost.CostTable;
import vitrine.guest.cost.VirtualTime;

/// What the model says of several settings, on a machine on which the first one takes as long as
/// the source reports: how fast that machine is, is the only thing that is fitted.
///
/// @param source the section of the table of costs
/// @param programs how many at once
/// @param depth how many operations of a program at once
record Prediction(String source, int programs, int depth) {

    private static final int OPERATIONS = 400; // until it does not matter how it began

    /// Microseconds of an operation, of all programs together.
    ///
    /// @param first what the first setting takes, by the source; 0 if it says nothing
    List<Double> micros(List<Counted> settings, double first) {
        CostTable usual = CostTable.of(source);
        double factor = first == 0 ? 1 : first / micros(usual, settings.getFirst());
        List<Double> micros = new ArrayList<>();
        for (Counted setting : settings) {
            micros.add(micros(usual.times(factor), setting));
        }
        return micros;
    }

    private double micros(CostTable costs, Counted setting) {
        int each = Math.max(1, OPERATIONS / programs);
        return VirtualTime.of(costs, setting.repeated(each), programs, depth) / (each * programs);
    }

    /// Microseconds of an operation that the daemon's system calls take, likewise.
    List<Double> hostMicros(List<Counted> settings, double first) {
        CostTable usual = CostTable.of(source);
        double factor = first / hostMicros(usual, settings.getFirst());
        return settings.stream()
                .map(setting -> hostMicros(usual, setting) * factor)
                .toList();
    }

    private static double hostMicros(CostTable costs, Counted setting) {
        double all = setting.operations().stream()
                .flatMap(List::stream)
                .mapToDouble(costs::hostCalls)
                .sum();
        return all / setting.operations().size();
    }

    /// The same in MiB a second.
    ///
    /// @param bytes of an operation
    /// @param first MiB a second, or 0
    List<Double> mibPerSecond(List<Counted> settings, int bytes, double first) {
        double mib = bytes / 1048576.0;
        double micros = first == 0 ? 0 : mib * 1e6 / first;
        return micros(settings, micros).stream().map(each -> mib * 1e6 / each).toList();
    }
}
