package vitrine.guest.experiment;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import vitrine.guest.compare.Median;

/// One comparison of an experiment: the same work in several settings.
///
/// @param name what the work is
/// @param settings what is different, the first one being what it was before
/// @param unit of all figures
/// @param reported what the source says, one for each setting; empty if it says nothing
/// @param model virtual time, likewise
/// @param measured here, likewise
/// @param counts what one operation takes, likewise
/// @param claims what must be so
/// @param notes lines of explanation
public record Row(
        String name,
        List<String> settings,
        Unit unit,
        List<Double> reported,
        List<Double> model,
        List<Range> measured,
        List<Counts> counts,
        List<Claim> claims,
        List<String> notes) {

    /// One of which nothing is reported, and nothing predicted; in microseconds.
    static Row measured(String name, List<String> settings, List<Range> ranges) {
        return new Row(name, settings, Unit.MICROS, List.of(), List.of(), ranges, List.of(), List.of(), List.of());
    }

    /// What figures are of.
    public enum Unit {
        /// More is better.
        MIB_PER_SECOND("MiB/s", true),
        /// Less is better.
        MICROS("µs", false);

        private final String text;
        private final boolean moreIsBetter;

        Unit(String text, boolean moreIsBetter) {
            this.text = text;
            this.moreIsBetter = moreIsBetter;
        }

        /// As it is written.
        public String text() {
            return text;
        }

        /// How many times as good the second is.
        double gain(double first, double second) {
            return moreIsBetter ? second / first : first / second;
        }
    }

    /// What was seen over several rounds.
    public record Range(double median, double least, double most) {

        /// Of these, one at least.
        public static Range of(List<Double> seen) {
            double[] values = seen.stream().mapToDouble(value -> value).toArray();
            return new Range(Median.of(values), Collections.min(seen), Collections.max(seen));
        }
    }

    /// What one operation takes.
    ///
    /// @param requests by opcode
    /// @param hostCalls of our daemon, by name
    public record Counts(Map<String, Double> requests, Map<String, Double> hostCalls) {}

    /// One setting must be better than another.
    ///
    /// @param worse its place among the settings
    /// @param better likewise
    public record Claim(int worse, int better) {}

    /// The round that nothing has disturbed.
    double best(Range range) {
        return unit.moreIsBetter ? range.most : range.least;
    }

    /// The round that was disturbed most.
    double worst(Range range) {
        return unit.moreIsBetter ? range.least : range.most;
    }

    /// Whether the claims hold for what was measured, or if nothing was, for the model, if there is
    /// one.
    ///
    /// Of each setting its best round counts: whatever else the machine does only makes it worse.
    public boolean holds() {
        List<Double> seen =
                measured.isEmpty() ? model : measured.stream().map(this::best).toList();
        return seen.isEmpty()
                || claims.stream().allMatch(claim -> unit.gain(seen.get(claim.worse), seen.get(claim.better)) > 1);
    }
}
