package vitrine.guest.workload.fio;

/// Numbers that were seen from time to time.
///
/// @param spread the sum of the squared distances from the mean
public record Samples(double least, double most, double mean, double spread, long count) {

    /// None yet.
    public static final Samples NONE = new Samples(0, 0, 0, 0, 0);

    /// These and one more.
    Samples and(double value) {
        double distance = value - mean;
        double newMean = mean + distance / (count + 1);
        return new Samples(
                count == 0 ? value : Math.min(least, value),
                Math.max(most, value),
                newMean,
                spread + distance * (value - newMean),
                count + 1);
    }

    /// Of several processes at the same time, all together: as fio has it, each figure is the sum
    /// of theirs, and so is the number of samples.
    public Samples beside(Samples other) {
        return new Samples(
                least + other.least, most + other.most, mean + other.mean, spread + other.spread, count + other.count);
    }

    /// The standard deviation.
    public double deviation() {
        return count < 2 ? 0 : Math.sqrt(spread / (count - 1));
    }
}
