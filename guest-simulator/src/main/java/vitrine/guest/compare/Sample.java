package vitrine.guest.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// What one request took.
///
/// @param processor processor time of the daemon, all its threads, µs
/// @param time until the answer was there, for the guest; with several under way, their share, µs
/// @param sleeps how often a thread of the daemon went to sleep
/// @param kicks how often the guest had to wake the daemon
/// @param calls how often the daemon woke the guest
record Sample(double processor, double time, double sleeps, double kicks, double calls) {

    /// The median of each.
    static Sample median(List<Sample> samples) {
        return new Sample(
                median(samples, Sample::processor),
                median(samples, Sample::time),
                median(samples, Sample::sleeps),
                median(samples, Sample::kicks),
                median(samples, Sample::calls));
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> value) {
        return Median.of(samples.stream().mapToDouble(value).toArray());
    }
}
